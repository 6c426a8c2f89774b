import type { BatchWire } from '@tributary/contract';
import { Diary, iso, type Draft } from './diary.ts';
import { addHeartRate } from './parts/heart-rate.ts';
import { addSleep, deleteSleep } from './parts/sleep.ts';
import { addDeletions, addSteps } from './parts/steps.ts';
import { addTotals } from './parts/totals.ts';
import { addWeights } from './parts/weight.ts';
import { addWorkout, deleteWorkout } from './parts/workouts.ts';
import { personaOf } from './personas.ts';
import type { Random } from '@tributary/rig';
import type { DeviceKind, Step, Upload } from './upload.ts';

/** Adds to an upload and returns how many of its values must be rejected. */
type Part = (random: Random, diary: Diary, draft: Draft) => number;

const parts: readonly (readonly [number, Part])[] = [
  [55, addHeartRate],
  [14, addSteps],
  [6, addDeletions],
  [5, addTotals],
  [5, addWeights],
  [7, addSleep],
  [2, deleteSleep],
  [4, addWorkout],
  [2, deleteWorkout],
];

const firstCreatedMs = Date.parse('2025-11-10T00:00:00Z');

/** Generates the uploads of one user. They depend only on the seed, not on what happens to them. */
export class UploadSource {
  readonly #userAt: number;
  readonly #random: Random;
  readonly #diaries: Record<DeviceKind, Diary>;
  readonly #uploads: Upload[] = [];

  constructor(userAt: number, random: Random) {
    this.#userAt = userAt;
    this.#random = random;
    const [persona, phaseHours] = [personaOf(userAt), random.int(0, 23)];
    this.#diaries = { watch: new Diary(persona, phaseHours), phone: new Diary(persona, phaseHours) };
  }

  next(): Step {
    const random = this.#random;
    const repeats = this.#uploads.length > 0 && random.chance(0.08);
    return {
      upload: repeats ? random.pick(this.#uploads) : this.#make(),
      how: random.weighted([
        [80, 'once'],
        [8, 'again'],
        [12, 'at_once'],
      ]),
      abandons: random.chance(0.2),
      misuses: random.chance(0.02),
    };
  }

  #make(): Upload {
    const random = this.#random;
    const device = random.weighted([
      [65, 'watch'],
      [35, 'phone'],
    ] as const);
    const draft: Draft = { body: {}, refusedCount: 0 };
    do draft.refusedCount += random.weighted(parts)(random, this.#diaries[device], draft);
    while (random.chance(0.25));
    const batchId = random.uuid();
    const body: BatchWire = {
      batch_id: batchId,
      ...this.#stamps(),
      device: { provider: 'apple_health', id: `${device}-1`, kind: device },
      ...draft.body,
    };
    const upload = {
      userAt: this.#userAt,
      device,
      batchId,
      body,
      valueCount: countValues(body),
      refusedCount: draft.refusedCount,
    };
    this.#uploads.push(upload);
    return upload;
  }

  /** When the phone claims to have collected the data: in any order, at the same moment, by a wrong clock, or not at all. */
  #stamps(): Pick<BatchWire, 'created_at' | 'sent_at'> {
    const random = this.#random;
    const before = this.#uploads.map(({ body }) => body.created_at).filter((at) => at !== undefined);
    const createdMs = firstCreatedMs + random.int(0, 20_000) * 60_000;
    return random.weighted<() => Pick<BatchWire, 'created_at' | 'sent_at'>>([
      [50, () => ({ created_at: iso(createdMs) })],
      [20, () => ({ created_at: before.length > 0 ? random.pick(before) : iso(createdMs) })],
      [12, () => ({ created_at: iso(createdMs), sent_at: iso(createdMs + random.int(0, 3_600_000)) })],
      [3, () => ({ created_at: '2101-01-01T00:00:00.000Z' })],
      [15, () => ({})],
    ])();
  }
}

function countValues(body: BatchWire): number {
  const inSeries = (body.series ?? []).reduce((sum, { values }) => sum + values.length, 0);
  const lists = [body.records, body.daily, body.sleep, body.workouts, body.deletions];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), inSeries);
}
