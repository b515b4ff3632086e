// Bodies coloured by stress, strain or contact pressure: the map, its scale and the legend.
import * as THREE from 'three';
import type { BodyView } from './bodies';
import type { ColourUpdate } from './protocol';

/** In the order of the server's numbers. */
export const quantities = ['none', 'stress', 'strain', 'pressure'] as const;
export type Quantity = (typeof quantities)[number];

const captions: Record<Quantity, string> = {
  none: '',
  stress: 'von Mises stress',
  strain: 'equivalent strain',
  pressure: 'contact pressure',
};

/**
 * From dark violet over teal to yellow: lighter is more, also in grey and to the colour-blind, and equal steps look
 * alike, since they have the same length in OKLab. Chroma is what sRGB can show on the way.
 */
function makeMap(count: number): Uint8ClampedArray {
  const lab = (t: number): [number, number, number] => {
    const chroma = 0.098 + 0.05 * (2 * t - 1) ** 2;
    const hue = ((310 - 205 * t) * Math.PI) / 180;
    return [0.27 + 0.64 * t, chroma * Math.cos(hue), chroma * Math.sin(hue)];
  };
  const fine = 1024;
  const way = [0];
  for (let i = 1; i <= fine; ++i) {
    const [a, b] = [lab((i - 1) / fine), lab(i / fine)];
    way.push(way[i - 1] + Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
  }
  const out = new Uint8ClampedArray(4 * count);
  for (let k = 0, i = 0; k < count; ++k) {
    while (i < fine && way[i] < (k / (count - 1)) * way[fine]) ++i;
    out.set([...srgb(...lab(i / fine)), 255], 4 * k);
  }
  return out;
}

/** OKLab to sRGB, 0 to 255 (Ottosson 2020). */
function srgb(L: number, a: number, b: number): number[] {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

const colours = 256;
const map = makeMap(colours);

/** 1, 2 or 5 times a power of ten, not below x. */
function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5, 10].find((k) => k * power >= x * (1 - 1e-6)) ?? 10);
}

/** How a number is written: its unit, and what of it. */
function unitFor(quantity: Quantity, most: number): [unit: string, factor: number] {
  if (quantity === 'strain') return ['%', 100];
  if (most >= 1e9) return ['GPa', 1e-9];
  if (most >= 1e6) return ['MPa', 1e-6];
  return most >= 1e3 ? ['kPa', 1e-3] : ['Pa', 1];
}

const patience_ms = 2000; // for which the values must stay small before the scale shrinks
const shrink_most = 1e-3; // of the largest that was seen: what is left then is rounding
const floor: Record<Quantity, number> = { none: 0, stress: 1, strain: 1e-6, pressure: 1 };

export class Colours {
  readonly texture = new THREE.DataTexture(new Uint8Array(map), colours, 1);
  private legend = document.querySelector<HTMLElement>('#scale')!;
  private caption = document.querySelector<HTMLElement>('#scale-caption')!;
  private bar = document.querySelector<HTMLCanvasElement>('#scale-bar')!;
  private ticks = document.querySelector<HTMLElement>('#scale-ticks')!;
  private chosen: Quantity = 'none';
  private most = 0; // end of the scale
  private largest = 0; // since the scale began
  private fixed = false;
  private smallSince = 0; // ms

  constructor() {
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
    this.texture.needsUpdate = true;
    this.bar.width = colours;
    this.bar.height = 1;
    const row = this.bar.getContext('2d')!.createImageData(colours, 1);
    row.data.set(map);
    this.bar.getContext('2d')!.putImageData(row, 0, 0);
  }

  get quantity(): Quantity {
    return this.chosen;
  }
  set quantity(quantity: Quantity) {
    this.chosen = quantity;
    this.reset();
  }

  /** Another scene, another quantity: the scale starts again. `most`: of a recording, which is known beforehand. */
  reset(most = 0): void {
    this.fixed = most > 0;
    this.most = this.fixed ? roundUp(most) : 0;
    this.smallSince = this.largest = 0;
    this.legend.hidden = this.chosen === 'none';
    this.caption.textContent = captions[this.chosen];
    this.bar.hidden = this.ticks.hidden = true;
  }

  /** Colours the bodies by the values of a frame; those that have none are grey, all keep theirs when none has any. */
  show(bodies: BodyView[], updates: ColourUpdate[], now: number): void {
    const number = quantities.indexOf(this.chosen);
    const mine = updates.filter((u) => u.quantity === number);
    if (number > 0 && mine.length > 0) this.follow(Math.max(...mine.map((u) => u.most)), now);
    bodies.forEach((body, b) => {
      const update = mine.find((u) => u.index === b);
      if (number === 0 || mine.length === 0) body.colourPlain();
      else if (update) body.colourBy(update.fractions, update.most / 65535 / (this.most || 1), this.texture);
      else body.colourGrey();
    });
    this.bar.hidden = this.ticks.hidden = mine.length === 0;
    if (number > 0 && mine.length === 0) this.caption.textContent = `no ${captions[this.chosen]} is known here`;
  }

  /** The scale grows at once and shrinks late, so that colours mean the same for a while. */
  private follow(largest: number, now: number): void {
    this.largest = Math.max(this.largest, largest);
    const end = roundUp(Math.max(largest, shrink_most * this.largest, floor[this.chosen]));
    if (end >= this.most) this.smallSince = now;
    if (end > this.most || (!this.fixed && now - this.smallSince > patience_ms)) this.most = end;
    const [unit, factor] = unitFor(this.chosen, this.most);
    this.caption.textContent = `${captions[this.chosen]} (${unit})`;
    const texts = [0, 0.5, 1].map((share) => String(+(share * this.most * factor).toPrecision(3)));
    texts.forEach((text, k) => (this.ticks.children[k].textContent = text));
    this.legend.dataset.most = String(this.most); // for tests and for scripts
    this.legend.dataset.largest = String(largest);
  }
}
