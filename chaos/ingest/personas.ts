/** Where a user lives, and when the data starts. In most of these time zones, clocks change within these days. */
export interface Persona {
  timezone: string;
  /** Midnight UTC before the first data. */
  firstMs: number;
}

export const daysOfData = 4;

const places = [
  ['Europe/Berlin', '2025-10-24'],
  ['America/New_York', '2025-10-31'],
  ['Australia/Sydney', '2025-10-03'],
  ['Australia/Lord_Howe', '2025-10-03'],
  ['America/Santiago', '2025-09-05'], // the 7th has no midnight
  ['Africa/Cairo', '2025-10-29'],
  ['America/Havana', '2025-10-31'], // the 2nd has two midnights
  ['Asia/Beirut', '2025-10-24'],
  ['Pacific/Auckland', '2025-09-26'],
  ['America/St_Johns', '2025-10-31'],
  ['Asia/Kathmandu', '2025-10-10'],
  ['UTC', '2025-10-10'],
] as const;

/** Always returns the same place for the same number. */
export function personaOf(userAt: number): Persona {
  const [timezone, firstDate] = places[userAt % places.length]!;
  return { timezone, firstMs: Date.parse(`${firstDate}T00:00:00Z`) };
}
