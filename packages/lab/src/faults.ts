import { chanceOf } from './hash.ts';

/** What can be switched on to go wrong. */
export const FAULT_KINDS = [
  /** Data requests are answered 502 or 503. */
  'error',
  /** Data requests find the limit used up, with the provider's own answer and headers. */
  'limited',
  /** Data requests wait `delayMs` first. */
  'slow',
  /** Answers end in the middle. */
  'truncated',
  /** Documents appear up to three days late. */
  'late',
  /** Documents are revised once or twice after they appeared. */
  'revised',
  /** Pushes get lost on the way; the provider believes that they arrived. */
  'push_lost',
  /** The provider says nothing at all. */
  'push_silent',
  /** People take their consent back: the next data request finds out. */
  'consent_revoked',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** How often, and for whom. */
export interface FaultSwitch {
  kind: FaultKind;
  /** From 0 to 1. */
  rate: number;
  provider?: string;
  person?: string;
  /** Of `slow`: by how much. */
  delayMs?: number;
}

/** A switch and the time of the lab during which it was on. */
export interface FaultRecord extends FaultSwitch {
  id: number;
  since: number;
  until: number;
}

export interface Faults {
  /** Switches a fault on from now on; of `late` and `revised`, for what ends from now on, so that nothing that was seen goes away. */
  on: (fault: FaultSwitch) => FaultRecord;
  /** Switches off what was switched on under this id, or everything. */
  off: (id?: number) => void;
  list: () => FaultRecord[];
  /** How often anything was switched. */
  changes: () => number;
  /** Whether a kind was ever switched on. */
  wasOn: (kind: FaultKind) => boolean;
  /** The switch that strikes at something now, chosen by its words; null when all goes well. */
  strike: (
    kind: FaultKind,
    provider: string,
    person: string,
    ...words: (string | number)[]
  ) => FaultRecord | null;
  /** As `strike`, for something that happened at a moment. */
  strikeAt: (
    moment: number,
    kind: FaultKind,
    provider: string,
    person: string,
    ...words: (string | number)[]
  ) => FaultRecord | null;
}

/** The rates that are taken where none is given. */
const DEFAULT_RATES: Partial<Record<FaultKind, number>> = { late: 0.05, revised: 0.1 };

/** The rate of a kind of fault when nobody says otherwise. */
export function defaultRateOf(kind: FaultKind): number {
  return DEFAULT_RATES[kind] ?? 1;
}

/** Keeps the switches of the lab; those of the beginning hold for all that ever was. */
export function keepFaults(seed: number, now: () => number, initial: readonly FaultSwitch[]): Faults {
  const records: FaultRecord[] = [];
  let changes = 0;
  const add = (fault: FaultSwitch, since: number): FaultRecord => {
    const record = { ...fault, id: records.length + 1, since, until: Infinity };
    records.push(record);
    return record;
  };
  for (const fault of initial) add(fault, -Infinity);

  const strikeAt: Faults['strikeAt'] = (moment, kind, provider, person, ...words) =>
    records.find(
      (record) =>
        record.kind === kind &&
        record.since <= moment &&
        moment < record.until &&
        (record.provider ?? provider) === provider &&
        (record.person ?? person) === person &&
        chanceOf(seed, 'fault', kind, provider, person, ...words) < record.rate,
    ) ?? null;

  return {
    on: (fault) => {
      changes += 1;
      return add(fault, now());
    },
    off: (id) => {
      changes += 1;
      for (const record of records)
        if (id === undefined || record.id === id) record.until = Math.min(record.until, now());
    },
    list: () => records.filter((record) => now() < record.until),
    changes: () => changes,
    wasOn: (kind) => records.some((record) => record.kind === kind),
    strike: (kind, provider, person, ...words) => strikeAt(now(), kind, provider, person, ...words),
    strikeAt,
  };
}
