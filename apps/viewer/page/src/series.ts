// The figures of the last seconds, one column per quantity. Time only grows; a scene that starts again empties it.

const capacity = 24000;
const kept = 16000;

export class Series {
  private columns: Float64Array[] = [];
  private names: string[] = [];
  count = 0;

  reset(names: string[]): void {
    this.names = names;
    this.columns = names.map(() => new Float64Array(capacity));
    this.count = 0;
  }

  append(samples: Float32Array): void {
    const width = this.names.length;
    if (width === 0) return;
    for (let at = 0; at + width <= samples.length; at += width) {
      if (this.count > 0 && samples[at] < this.columns[0][this.count - 1]) this.count = 0;
      if (this.count === capacity) {
        for (const column of this.columns) column.copyWithin(0, capacity - kept);
        this.count = kept;
      }
      for (let k = 0; k < width; ++k) this.columns[k][this.count] = samples[at + k];
      ++this.count;
    }
  }

  /** The rows of the last `seconds`. */
  window(seconds: number): { begin: number; end: number } {
    const time = this.columns[0];
    if (!time || this.count === 0) return { begin: 0, end: 0 };
    const from = time[this.count - 1] - seconds;
    let begin = this.count - 1;
    while (begin > 0 && time[begin - 1] >= from) --begin;
    return { begin, end: this.count };
  }

  column(name: string): Float64Array | undefined {
    return this.columns[this.names.indexOf(name)];
  }
}
