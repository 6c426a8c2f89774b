/** UTC offsets are multiples of 15 minutes. */
const quarterMs = 15 * 60_000;

/** A move to a time zone, effective from a date. */
interface Move {
  earlier: LocalDays;
  date: string;
}

/** The calendar and clock of a person, in one time zone or after a move, according to the system's tables. */
export class LocalDays {
  readonly #move: Move | null;
  readonly #format: Intl.DateTimeFormat;
  readonly #localMs = new Map<number, number>();

  constructor(timeZone: string, move: Move | null = null) {
    this.#move = move;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  }

  /** `2025-10-26` for an instant. Dates before a move are those of the earlier zone, and later ones those of the new zone. */
  dateOf(instantMs: number): string {
    const here = dateIn(this.#localMsOf(instantMs));
    if (!this.#move) return here;
    const { earlier, date } = this.#move;
    const there = earlier.dateOf(instantMs);
    if (there < date) return there;
    return here > date ? here : date;
  }

  /** The date that the clock shows. On the day of a move, it may be another one than that of the day. */
  shownDateOf(instantMs: number): string {
    return dateIn(this.#clockMsOf(instantMs));
  }

  /** The local time in minutes from midnight of `date`, negative for the evening before. */
  minutesFrom(date: string, instantMs: number): number {
    return (this.#clockMsOf(instantMs) - Date.parse(`${date}T00:00:00Z`)) / 60_000;
  }

  /** The clock of the new zone applies as soon as both zones have reached the date of the move. */
  #clockMsOf(instantMs: number): number {
    const localMs = this.#localMsOf(instantMs);
    if (!this.#move) return localMs;
    const { earlier, date } = this.#move;
    const hasMoved = earlier.dateOf(instantMs) >= date && dateIn(localMs) >= date;
    return hasMoved ? localMs : earlier.#clockMsOf(instantMs);
  }

  /** The time in this zone, read as if it were UTC. */
  #localMsOf(instantMs: number): number {
    const quarter = Math.floor(instantMs / quarterMs);
    let localMs = this.#localMs.get(quarter);
    if (localMs === undefined) {
      const parts = this.#format.formatToParts(quarter * quarterMs);
      const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
      localMs = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
      this.#localMs.set(quarter, localMs);
    }
    return localMs + (instantMs - quarter * quarterMs);
  }
}

function dateIn(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 10);
}
