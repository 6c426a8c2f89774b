import { createHash, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { archetypes } from '@tributary/contract';
import { dayEndMs, formatDay, sandboxBatches, seedOf, type DayNumber } from '@tributary/domain';
import { dailyTruth } from '@tributary/domain/testing';
import { defaultScopeBits, insertSandboxBatches } from '@tributary/server/testing/sync';
import type { Service } from './service.ts';
import type { Subject } from './subject.ts';

const timezone = 'Europe/Berlin';

/** One simulated user of each archetype, with the uploads that the sandbox would commit. */
export async function createSandboxPeople(
  service: Service,
  firstDay: DayNumber,
  dayCount: number,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const archetype of archetypes) {
    const person = { seed: seedOf(`truth-${archetype}`), archetype, firstDay };
    const toMs = dayEndMs(firstDay + dayCount - 1, timezone);
    const batches = sandboxBatches({ ...person, timezone, fromMs: 0, toMs });
    const userId = await service.createUser(timezone);
    const uploads = batches.map((batch) => {
      const bytes = Buffer.from(JSON.stringify(batch));
      const digest = createHash('sha256').update(bytes).digest();
      return {
        batchId: randomUUID(),
        receivedMs: toMs,
        scopes: defaultScopeBits,
        digest,
        payload: zstdCompressSync(bytes),
      };
    });
    await insertSandboxBatches(service.run.admin, userId, uploads);
    subjects.push({
      name: archetype,
      userId,
      timezone,
      days: dailyTruth(person, 0, dayCount - 1).map((truth) => ({
        date: formatDay(truth.day),
        values: {
          steps: truth.steps,
          distance: truth.distance,
          active_calories: truth.activeCalories,
          exercise: truth.exerciseMinutes,
          asleep: truth.asleepMinutes,
          resting_heart_rate: truth.restingHeartRate,
          heart_rate: truth.meanHeartRate,
        },
        workouts: truth.workouts,
      })),
      workouts: batches.flatMap(({ workouts }) =>
        workouts.map(({ sport_type: sport, start, end }) => ({
          sport,
          startMs: Date.parse(start),
          endMs: Date.parse(end),
        })),
      ),
    });
  }
  return subjects;
}
