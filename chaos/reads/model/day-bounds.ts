import type { LocalDays } from '@tributary/rig';

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;

/** A local day, from its first instant to the first instant of the next day. */
export interface DayBounds {
  startMs: number;
  endMs: number;
}

/** The bounds of local days, found by asking the clock every quarter of an hour. */
export class Calendar {
  readonly clock: LocalDays;
  readonly #starts = new Map<string, number>();

  constructor(clock: LocalDays) {
    this.clock = clock;
  }

  boundsOf(date: string): DayBounds {
    return { startMs: this.#startOf(date), endMs: this.#startOf(dateAfter(date)) };
  }

  /** All dates with a part of a span. A span without length is on one date. */
  datesOf(startMs: number, endMs: number): string[] {
    const last = this.clock.dateOf(Math.max(startMs, endMs - 1));
    const dates: string[] = [];
    for (let date = this.clock.dateOf(startMs); date <= last; date = dateAfter(date)) {
      const bounds = this.boundsOf(date);
      if (bounds.endMs > bounds.startMs) dates.push(date); // Samoa skipped a day
    }
    return dates;
  }

  #startOf(date: string): number {
    let startMs = this.#starts.get(date);
    if (startMs !== undefined) return startMs;
    startMs = Date.parse(date) - 15 * hourMs;
    while (this.clock.dateOf(startMs) < date) startMs += quarterMs;
    this.#starts.set(date, startMs);
    return startMs;
  }
}

function dateAfter(date: string): string {
  return new Date(Date.parse(date) + 24 * hourMs).toISOString().slice(0, 10);
}
