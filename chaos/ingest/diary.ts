import type { BatchWire } from '@tributary/contract';
import { daysOfData, type Persona } from './personas.ts';
import type { Random } from '@tributary/rig';

/** A record with an id, and its start. */
export interface KnownRecord {
  id: string;
  startMs: number;
}

/** What one device has uploaded so far, so that it can repeat, correct or delete it. */
export class Diary {
  readonly persona: Persona;
  /** Start times of series. */
  readonly series: number[] = [];
  readonly steps: KnownRecord[] = [];
  readonly weights: KnownRecord[] = [];
  /** Records whose deletion was sent before the record itself. */
  readonly deletedAhead: KnownRecord[] = [];
  readonly sleep: string[] = [];
  readonly workouts: string[] = [];
  /** Shifts this user's nights by a number of hours, so that some end around midnight. */
  readonly phaseHours: number;
  readonly #usedMinutes = new Set<number>();
  #records = 0;

  constructor(persona: Persona, phaseHours: number) {
    this.persona = persona;
    this.phaseHours = phaseHours;
  }

  newRecord(kind: string, random: Random): KnownRecord {
    this.#records += 1;
    return { id: `${kind}-${this.#records}`, startMs: this.newMinute(random) };
  }

  /** Picks a minute in which no record of this device starts yet. */
  newMinute(random: Random): number {
    for (;;) {
      const minute = random.int(0, daysOfData * 1440 - 1);
      if (this.#usedMinutes.has(minute)) continue;
      this.#usedMinutes.add(minute);
      return this.persona.firstMs + minute * 60_000;
    }
  }
}

/** The body of an upload under construction. */
export interface Draft {
  body: Pick<BatchWire, 'series' | 'records' | 'daily' | 'sleep' | 'workouts' | 'deletions'>;
  refusedCount: number;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
