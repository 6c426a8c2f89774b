import { chanceOf } from './hash.ts';

/** Faults that can be switched on. */
export const FAULT_KINDS = [
  /** Data requests return 502 or 503. */
  'error',
  /** Data requests find the limit exhausted, with the provider's own response and headers. */
  'limited',
  /** Delays data requests by `delayMs`. */
  'slow',
  /** Cuts responses off in the middle. */
  'truncated',
  /** Documents appear up to three days late. */
  'late',
  /** Documents are revised once or twice after they appeared. */
  'revised',
  /** Pushes get lost in transit. The provider believes that they arrived. */
  'push_lost',
  /** The provider sends nothing at all. */
  'push_silent',
  /** Users revoke their consent. The next data request fails. */
  'consent_revoked',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The rate, and whom it applies to. */
export interface FaultSwitch {
  kind: FaultKind;
  /** From 0 to 1. */
  rate: number;
  provider?: string;
  person?: string;
  /** For `slow`: the delay. */
  delayMs?: number;
}

/** A switch and the period of lab time during which it was on. */
export interface FaultRecord extends FaultSwitch {
  id: number;
  since: number;
  until: number;
}

export interface Faults {
  /** Switches a fault on from now on. `late` and `revised` apply to documents that end from now on, so that nothing visible disappears. */
  on: (fault: FaultSwitch) => FaultRecord;
  /** Switches off the fault with this id, or all faults. */
  off: (id?: number) => void;
  list: () => FaultRecord[];
  /** How often any fault was switched. */
  changes: () => number;
  /** Whether a kind was ever switched on. */
  wasOn: (kind: FaultKind) => boolean;
  /** The switch that applies to something now, chosen by its words. Null if none applies. */
  strike: (
    kind: FaultKind,
    provider: string,
    person: string,
    ...words: (string | number)[]
  ) => FaultRecord | null;
  /** Like `strike`, for something that happened at a given time. */
  strikeAt: (
    moment: number,
    kind: FaultKind,
    provider: string,
    person: string,
    ...words: (string | number)[]
  ) => FaultRecord | null;
}

/** The default rates. */
const DEFAULT_RATES: Partial<Record<FaultKind, number>> = { late: 0.05, revised: 0.1 };

/** The default rate of a kind of fault. */
export function defaultRateOf(kind: FaultKind): number {
  return DEFAULT_RATES[kind] ?? 1;
}

/** Stores the fault switches of the lab. Those set at the start apply to all data, past and future. */
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
