// Sliders for the numbers of the scene that may be turned while it runs.
import type { SliderInfo } from './protocol';

const steps = 1000;

export class Sliders {
  private rows: { input: HTMLInputElement; output: HTMLOutputElement; info: SliderInfo }[] = [];

  constructor(
    private place: HTMLElement,
    private turn: (index: number, value: number) => void,
  ) {}

  rebuild(infos: SliderInfo[]): void {
    this.rows = infos.map((info, index) => {
      const input = document.createElement('input');
      const output = document.createElement('output');
      input.type = 'range';
      input.min = '0';
      input.max = String(steps);
      input.dataset.kind = info.kind;
      input.setAttribute('aria-label', `${info.label}, ${info.unit}`);
      const row = { input, output, info: { ...info } };
      input.addEventListener('input', () => {
        row.info.value = fromShare(info, Number(input.value) / steps);
        this.label(row);
      });
      // The simulation is told at the end of a drag for what must be built again, at once for the rest.
      input.addEventListener(info.heavy ? 'change' : 'input', () => this.turn(index, row.info.value));
      return row;
    });
    this.place.replaceChildren(
      ...this.rows.map((row) => {
        const label = document.createElement('label');
        const name = document.createElement('span');
        name.textContent = row.info.label;
        label.append(name, row.output, row.input);
        this.place_value(row);
        return label;
      }),
    );
  }

  /** Values that another viewer has turned. */
  update(values: number[]): void {
    values.forEach((value, k) => {
      const row = this.rows[k];
      if (!row || row.input === document.activeElement) return;
      row.info.value = value;
      this.place_value(row);
    });
  }

  private place_value(row: (typeof this.rows)[number]): void {
    row.input.value = String(Math.round(steps * toShare(row.info)));
    this.label(row);
  }

  private label(row: (typeof this.rows)[number]): void {
    const v = row.info.value;
    const text = v !== 0 && (Math.abs(v) >= 1e4 || Math.abs(v) < 1e-2) ? v.toExponential(1) : String(+v.toPrecision(3));
    row.output.textContent = row.info.unit === 'µ' ? `µ ${text}` : `${text} ${row.info.unit}`;
    row.input.setAttribute('aria-valuetext', row.output.textContent);
  }
}

function toShare(s: SliderInfo): number {
  if (s.logarithmic) return Math.log(s.value / s.least) / Math.log(s.most / s.least);
  return (s.value - s.least) / (s.most - s.least);
}

function fromShare(s: SliderInfo, share: number): number {
  if (s.logarithmic) return s.least * Math.pow(s.most / s.least, share);
  return s.least + share * (s.most - s.least);
}
