/** Prints progress, separate from the result. */
export function progress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
}

/** The value below which this share of the numbers lies. NaN if there are none. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** Formats rows as aligned columns below a header. */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Figures of a run and their bounds. */
export class Report {
  readonly #rows: string[][] = [];
  readonly #broken: string[] = [];

  /** The figures whose bound was broken. */
  get broken(): readonly string[] {
    return this.#broken;
  }

  /** Adds a figure without a bound. */
  note(what: string, figure: string): void {
    this.#rows.push([what, figure, '', '']);
  }

  /** Adds a figure, its bound, and whether the bound holds. */
  bound(what: string, figure: string, bound: string, isWithinBound: boolean): void {
    if (!isWithinBound) this.#broken.push(what);
    this.#rows.push([what, figure, bound, isWithinBound ? 'kept' : 'BROKEN']);
  }

  /** Prints the table. Sets exit code 1 if a bound was broken. */
  print(title: string): void {
    console.log(`\n${title}\n\n${renderTable(['figure', 'measured', 'bound', 'result'], this.#rows)}`);
    console.log(this.#broken.length === 0 ? '\nAll bounds kept.' : `\n${this.#broken.length} bounds broken.`);
    if (this.#broken.length > 0) process.exitCode = 1;
  }
}

/** Ends a run that hangs. The stack's guard then ends everything that the run started. */
export function limitRunTime(minutes: number): void {
  setTimeout(() => {
    console.error(`Stopped: the run did not finish within ${minutes} minutes.`);
    process.exit(1);
  }, minutes * 60_000).unref();
}
