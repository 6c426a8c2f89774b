import { LocalDays } from '@tributary/rig';

const hourMs = 3_600_000;
const quarterMs = 900_000;

/** A local day: from `startMs` (inclusive) to `endMs` (exclusive), 23 to 25 hours. */
export interface Day {
  date: string;
  startMs: number;
  endMs: number;
}

/** The local days of a time zone. */
export class Calendar {
  readonly #local: LocalDays;
  readonly #days = new Map<string, Day>();

  constructor(timezone: string) {
    this.#local = new LocalDays(timezone);
  }

  dateOf(instantMs: number): string {
    return this.#local.dateOf(instantMs);
  }

  /** Local time in minutes since midnight. */
  minutesOf(instantMs: number): number {
    return this.#local.minutesFrom(this.dateOf(instantMs), instantMs);
  }

  day(date: string): Day {
    let day = this.#days.get(date);
    if (!day) {
      day = { date, startMs: this.#startOf(date), endMs: this.#startOf(nextDate(date)) };
      this.#days.set(date, day);
    }
    return day;
  }

  /** The first quarter of an hour that belongs to the date. */
  #startOf(date: string): number {
    let at = Date.parse(`${date}T00:00:00Z`) - 15 * hourMs;
    while (this.dateOf(at) < date) at += quarterMs;
    return at;
  }
}

export function nextDate(date: string, days = 1): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * hourMs).toISOString().slice(0, 10);
}
