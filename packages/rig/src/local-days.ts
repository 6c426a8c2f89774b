/** UTC offsets are multiples of 15 minutes. */
const quarterMs = 15 * 60_000;

/** The calendar and clock of a time zone, according to the system's tables. */
export class LocalDays {
  readonly #format: Intl.DateTimeFormat;
  readonly #localMs = new Map<number, number>();

  constructor(timeZone: string) {
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

  /** `2025-10-26` for an instant. */
  dateOf(instantMs: number): string {
    return new Date(this.#localMsOf(instantMs)).toISOString().slice(0, 10);
  }

  /** The local time in minutes from midnight of `date`, negative for the evening before. */
  minutesFrom(date: string, instantMs: number): number {
    return (this.#localMsOf(instantMs) - Date.parse(`${date}T00:00:00Z`)) / 60_000;
  }

  /** The local time, read as if it were UTC. */
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
