import type { BatchWire } from '@tributary/contract';
import { daysOfData, type Persona } from './personas.ts';
import type { Random } from '@tributary/rig';

/** A record with an id, where it stands. */
export interface KnownRecord {
  id: string;
  startMs: number;
}

/** What one device has told so far, so that it can be told again, differently, or taken back. */
export class Diary {
  readonly persona: Persona;
  /** Where series began. */
  readonly series: number[] = [];
  readonly steps: KnownRecord[] = [];
  readonly weights: KnownRecord[] = [];
  /** Records whose deletion was sent before they were. */
  readonly deletedAhead: KnownRecord[] = [];
  readonly sleep: string[] = [];
  readonly workouts: string[] = [];
  /** By how many hours the nights of this user are moved, so that some end around midnight. */
  readonly phaseHours: number;
  readonly #taken = new Set<number>();
  #records = 0;

  constructor(persona: Persona, phaseHours: number) {
    this.persona = persona;
    this.phaseHours = phaseHours;
  }

  newRecord(kind: string, random: Random): KnownRecord {
    this.#records += 1;
    return { id: `${kind}-${this.#records}`, startMs: this.newMinute(random) };
  }

  /** A minute in which no record of this device begins yet. */
  newMinute(random: Random): number {
    for (;;) {
      const minute = random.int(0, daysOfData * 1440 - 1);
      if (this.#taken.has(minute)) continue;
      this.#taken.add(minute);
      return this.persona.firstMs + minute * 60_000;
    }
  }
}

/** The body of an upload while it is put together. */
export interface Draft {
  body: Pick<BatchWire, 'series' | 'records' | 'daily' | 'sleep' | 'workouts' | 'deletions'>;
  refusedCount: number;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
