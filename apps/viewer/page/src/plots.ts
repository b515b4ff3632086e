// Live plots of the last ten seconds.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Series } from './series';

interface Line {
  label: string;
  device?: number; // only where there is such a device; named where there are several
  colour: string;
  of: (series: Series) => (row: number) => number;
}

interface PlotKind {
  title: string;
  unit: string;
  logarithmic?: boolean;
  open: boolean;
  least: number; // the smallest height of the scale: less is as good as nothing
  lines: Line[];
}

const none = new Float64Array(0);

const column =
  (name: string, factor = 1, least = -Infinity) =>
  (series: Series) => {
    const values = series.column(name) ?? none;
    return (row: number) => Math.max(least, factor * (values[row] ?? 0));
  };

/** The power of ten; zero counts as 10⁻¹². */
const decades = (name: string) => (series: Series) => {
  const value = column(name, 1, 1e-12)(series);
  return (row: number) => Math.log10(value(row));
};

const magnitude = (device: number) => (series: Series) => {
  const [x, y, z] = ['x', 'y', 'z'].map((k) => series.column(`force${device}${k}`) ?? none);
  return (row: number) => Math.hypot(x[row], y[row], z[row]);
};

const kinds: PlotKind[] = [
  {
    title: 'Force on the hand',
    least: 1,
    unit: 'N',
    open: true,
    lines: [
      { label: 'x', colour: '#4dabf7', of: column('force0x') },
      { label: 'y', colour: '#51cf66', of: column('force0y') },
      { label: 'z', colour: '#b197fc', of: column('force0z') },
      { label: '|F|', colour: '#e8590c', of: magnitude(0), device: 0 },
      { label: '|F|', colour: '#f06595', of: magnitude(1), device: 1 },
    ],
  },
  {
    title: 'Contacts',
    least: 5,
    unit: '',
    open: true,
    lines: [
      { label: 'near', colour: '#98a2b3', of: column('contacts') },
      { label: 'touching', colour: '#e8590c', of: column('active') },
    ],
  },
  {
    title: 'Time of a step',
    least: 0.1,
    unit: 'ms',
    open: false,
    lines: [
      { label: 'free motion', colour: '#4dabf7', of: column('freeMotion', 1e-3) },
      { label: 'proximity', colour: '#51cf66', of: column('proximity', 1e-3) },
      { label: 'Delassus', colour: '#b197fc', of: column('delassus', 1e-3) },
      { label: 'solve', colour: '#e8590c', of: column('solve', 1e-3) },
      { label: 'motion', colour: '#f06595', of: column('motion', 1e-3) },
    ],
  },
  {
    title: 'Certificate',
    least: 1,
    unit: '',
    logarithmic: true,
    open: false,
    lines: [{ label: 'worst group', colour: '#e8590c', of: decades('certificate') }],
  },
  {
    title: 'Energy',
    least: 0.0001,
    unit: 'J',
    open: false,
    lines: [
      { label: 'kinetic', colour: '#4dabf7', of: column('kinetic') },
      { label: 'elastic', colour: '#51cf66', of: column('elastic') },
      { label: 'given to the hand', colour: '#e8590c', of: column('given') },
    ],
  },
];

const powers = { incrs: [3], values: (_u: uPlot, splits: number[]) => splits.map((v) => `1e${v}`) };
const short = (_u: uPlot, splits: number[]) => splits.map((v) => String(+v.toPrecision(4)));
const seconds = (_u: uPlot, splits: number[]) => splits.map((v) => `${+v.toPrecision(4)} s`);
const span_s = 10;
const most_points = 1200;

class PlotBox {
  readonly box = document.createElement('details');
  private plot: uPlot | null = null;
  private lines: Line[];
  private area = document.createElement('div');

  constructor(private kind: PlotKind) {
    this.lines = kind.lines;
    this.box.open = kind.open;
    const summary = document.createElement('summary');
    summary.textContent = kind.title + (kind.unit ? ` (${kind.unit})` : '');
    this.area.className = 'plot';
    this.area.setAttribute('role', 'img');
    this.area.setAttribute('aria-label', `${kind.title} over the last ten seconds`);
    this.box.append(summary, this.area);
  }

  draw(series: Series): void {
    if (!this.box.open || this.area.clientWidth === 0) return;
    if (!this.plot) this.make();
    const width = this.area.clientWidth;
    if (this.plot!.width !== width) this.plot!.setSize({ width, height: 150 });
    const { begin, end } = series.window(span_s);
    const stride = Math.max(1, Math.ceil((end - begin) / most_points));
    const time = series.column('time');
    const data: (number | null)[][] = [[], ...this.lines.map(() => [])];
    const values = this.lines.map((line) => line.of(series));
    // Of every few rows the one with the largest values is kept: peaks stay.
    const height = (row: number) => values.reduce((sum, value) => sum + (Math.abs(value(row)) || 0), 0);
    for (let row = begin; time && row < end; row += stride) {
      let peak = row;
      for (let other = row + 1; other < Math.min(end, row + stride); ++other)
        if (height(other) > height(peak)) peak = other;
      data[0].push(time[peak]);
      // NaN: not known, e.g. the energies of a recording that could not be computed again. A gap.
      values.forEach((value, k) => data[k + 1].push(Number.isNaN(value(peak)) ? null : value(peak)));
    }
    this.plot!.setData(data as uPlot.AlignedData);
  }

  set devices(names: string[]) {
    const name = ({ device }: Line) => (device !== undefined && names.length > 1 ? `, ${names[device]}` : '');
    this.lines = this.kind.lines
      .filter((line) => (line.device ?? 0) < Math.max(1, names.length))
      .map((line) => ({ ...line, label: line.label + name(line) }));
    this.restyle();
  }

  restyle(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  private make(): void {
    const style = getComputedStyle(document.body);
    const ink = style.getPropertyValue('--ink-soft').trim();
    const grid = { stroke: style.getPropertyValue('--line').trim(), width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui' };
    this.plot = new uPlot(
      {
        width: this.area.clientWidth,
        height: 150,
        cursor: { drag: { x: false, y: false } },
        legend: { live: false },
        scales: {
          x: { time: false },
          y: { range: this.kind.logarithmic ? [-12, 0] : (_u, low, high) => roomy(low, high, this.kind.least) },
        },
        axes: [
          { ...axis, size: 26, values: seconds },
          { ...axis, size: 46, space: 20, ...(this.kind.logarithmic ? powers : { values: short }) },
        ],
        series: [
          {},
          ...this.lines.map((line) => ({ label: line.label, stroke: line.colour, width: 1.4, points: { show: false } })),
        ],
      },
      [[], ...this.lines.map(() => [])] as uPlot.AlignedData,
      this.area,
    );
  }
}

function roomy(low: number | null, high: number | null, least: number): [number, number] {
  const a = Math.min(0, low ?? 0);
  const b = Math.max(0, high ?? 0, a < -least ? 0 : least);
  const room = 0.06 * (b - a);
  return [a < 0 ? a - room : 0, b + room];
}

export class Plots {
  private boxes = kinds.map((kind) => new PlotBox(kind));
  private turn = 0;

  constructor(place: HTMLElement) {
    place.append(...this.boxes.map((b) => b.box));
  }

  set devices(names: string[]) {
    for (const box of this.boxes) box.devices = names;
  }

  /** Draws one of the plots, in turn. */
  draw(series: Series): void {
    const open = this.boxes.filter((b) => b.box.open);
    if (open.length > 0) open[this.turn++ % open.length].draw(series);
  }

  drawAll(series: Series): void {
    for (const box of this.boxes) box.draw(series);
  }

  restyle(): void {
    for (const box of this.boxes) box.restyle();
  }
}
