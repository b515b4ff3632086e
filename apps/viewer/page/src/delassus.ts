// The Delassus operator as a picture (D06 figures 9 and 11): |W| on a logarithmic scale, dark is small.
import type { Delassus } from './protocol';

/** From black over violet and orange to pale yellow. */
function heat(v: number): [number, number, number] {
  const t = v / 255;
  return [255 * Math.min(1, 1.6 * t), 255 * Math.max(0, 1.8 * t - 0.8), 255 * (t < 0.5 ? t : Math.max(0, 1.3 * t - 0.55))];
}

export class DelassusView {
  private canvas = document.querySelector<HTMLCanvasElement>('#delassus')!;
  private text = document.querySelector<HTMLElement>('#delassus-text')!;

  show(w: Delassus | null): void {
    if (!w || w.side === 0) {
      this.canvas.hidden = true;
      this.text.textContent = 'No contact.';
      return;
    }
    this.canvas.hidden = false;
    this.canvas.width = this.canvas.height = w.side;
    const context = this.canvas.getContext('2d')!;
    const picture = context.createImageData(w.side, w.side);
    for (let i = 0; i < w.side * w.side; ++i) {
      const [r, g, b] = heat(w.cells[i]);
      picture.data.set([r, g, b, 255], 4 * i);
    }
    context.putImageData(picture, 0, 0);
    this.text.textContent = `${w.contacts} contacts, ${3 * w.contacts} × ${3 * w.contacts}; logarithmic, over three decades.`;
  }
}
