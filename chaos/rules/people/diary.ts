import type { Random } from '@tributary/rig';
import type { Calendar, Day } from '../reference/calendar.ts';
import type { Batch } from '../reference/uploads.ts';
import type { Person, PersonDevice } from './person.ts';

type Lists = Required<Pick<Batch, 'series' | 'records' | 'daily' | 'sleep' | 'workouts' | 'deletions'>>;

/** Something that a device reports at its first sync after a moment. */
interface Entry {
  atMs: number;
  add: (lists: Lists) => void;
}

/** What one device reports over the weeks, before it is divided into uploads. */
export class Diary {
  readonly random: Random;
  readonly device: PersonDevice;
  readonly #entries: Entry[] = [];
  readonly #syncs: number[] = [];
  #ids = 0;

  constructor(random: Random, device: PersonDevice) {
    this.random = random;
    this.device = device;
  }

  /** An id for a record or session, unique for this device. */
  newId(kind: string): string {
    return `${kind}-${(this.#ids += 1)}`;
  }

  add<Name extends keyof Lists>(atMs: number, list: Name, item: Lists[Name][number]): void {
    this.#entries.push({ atMs, add: (lists) => (lists[list] as unknown[]).push(item) });
  }

  /** Reports something in an upload of its own, created at exactly this moment. */
  addInOwnSync<Name extends keyof Lists>(atMs: number, list: Name, item: Lists[Name][number]): void {
    this.#syncs.push(atMs);
    this.add(atMs, list, item);
  }

  /** Divides the entries into uploads: a sync every few days, at any hour, and one after the last entry. */
  toBatches(days: readonly Day[]): Batch[] {
    const { random, device } = this;
    const last = Math.max(days.at(-1)!.endMs, ...this.#entries.map(({ atMs }) => atMs)) + 3_600_000;
    const syncs = [...this.#syncs, device.firstSyncMs];
    for (let at = device.firstSyncMs; at < last; at += random.int(20, 130) * 3_600_000)
      syncs.push(at + random.int(1, 3_000_000));
    syncs.push(last);
    const createdAt = [...new Set(syncs)].toSorted((a, b) => a - b);
    const entries = this.#entries.toSorted((a, b) => a.atMs - b.atMs);
    let next = 0;
    const batches: Batch[] = [];
    for (const syncMs of createdAt) {
      const lists: Lists = { series: [], records: [], daily: [], sleep: [], workouts: [], deletions: [] };
      const from = next;
      while (next < entries.length && entries[next]!.atMs <= syncMs) entries[next++]!.add(lists);
      if (next > from || syncMs === device.firstSyncMs) batches.push(this.#batchOf(syncMs, lists));
    }
    return batches;
  }

  #batchOf(syncMs: number, lists: Lists): Batch {
    const { provider, id, kind } = this.device;
    const filled = Object.fromEntries(Object.entries(lists).filter(([, items]) => items.length > 0));
    return {
      batch_id: this.random.uuid(),
      created_at: iso(syncMs),
      device: { provider, id, kind },
      ...filled,
    };
  }
}

export const iso = (instantMs: number): string => new Date(instantMs).toISOString();

/** One day of a person, and how each device takes part in it. */
export interface Scene {
  person: Person;
  calendar: Calendar;
  day: Day;
  /** Common to all devices of the day. */
  random: Random;
}

/** How a device takes part in a day. */
export type Wear = 'worn' | 'partly' | 'briefly' | 'unworn' | 'gap';
