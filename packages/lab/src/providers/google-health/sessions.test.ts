import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Day, Sleep, Stage } from '../../world/people/day.ts';
import { personOf } from '../../world/people/people.ts';
import type { Connection, Json } from '../../test/connect-person.ts';
import { googleHealth } from './index.ts';
import { connectAll, pointsPath, readAll } from './test-client.ts';

const people = ['ada', 'finn'] as const;
let lab: Lab;
const connections = new Map<string, Connection>();

beforeAll(async () => {
  lab = await startLab({ providers: [googleHealth], startAt: Date.parse('2026-04-20T12:00:00Z') });
  for (const person of people) connections.set(person, await connectAll(lab, person));
});
afterAll(() => lab[Symbol.asyncDispose]());

const dates = ['2026-04-08', '2026-04-09', '2026-04-10', '2026-04-11'];
const stamp = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const minutes = (sleep: Sleep, ...stages: Stage[]): string =>
  String(
    Math.round(
      sum(sleep.stages.filter(({ stage }) => stages.includes(stage)).map(({ start, end }) => end - start)) /
        60_000,
    ),
  );

describe.each(people)('%s', (person) => {
  const days = (): Day[] => dates.map((date) => lab.truth(person, date));
  const offset = person === 'ada' ? '7200s' : '19800s';
  const read = async (type: string, member: string): Promise<Json[]> => {
    const name = `${type.replaceAll('-', '_')}.${member}`;
    const filter = `${name} >= "2026-04-08" AND ${name} < "2026-04-12"`;
    const { points } = await readAll(connections.get(person)!, type, { filter });
    return points.toReversed();
  };

  test('returns sleeps with stages at night and without stages for naps', async () => {
    const points = await read('sleep', 'interval.civil_end_time');
    const sleeps = days().flatMap((day) => day.sleeps);
    expect(points).toHaveLength(sleeps.length);
    for (const [index, sleep] of sleeps.entries()) {
      const { sleep: reportedSleep, name } = points[index];
      expect(reportedSleep.interval).toMatchObject({
        startTime: stamp(sleep.start),
        endTime: stamp(sleep.end),
        startUtcOffset: offset,
      });
      expect(reportedSleep.summary).toMatchObject({
        minutesInSleepPeriod: String((sleep.end - sleep.start) / 60_000),
        minutesAsleep: minutes(sleep, 'light', 'deep', 'rem'),
        minutesAwake: minutes(sleep, 'awake'),
        minutesToFallAsleep: String(Math.round((sleep.stages[0]!.end - sleep.start) / 60_000)),
      });
      expect(reportedSleep.metadata).toMatchObject({
        mainSleep: sleep.isMain,
        nap: !sleep.isMain,
        manuallyEdited: false,
      });
      expect(reportedSleep.type).toBe(sleep.isMain ? 'STAGES' : 'CLASSIC');
      if (sleep.isMain) {
        expect(reportedSleep.stages).toEqual(
          sleep.stages.map(({ stage, start, end }) => ({
            type: stage.toUpperCase(),
            startTime: stamp(start),
            endTime: stamp(end),
          })),
        );
        for (const stage of ['awake', 'light', 'deep', 'rem'] as const)
          expect(
            reportedSleep.summary.stagesSummary.find(({ type }: Json) => type === stage.toUpperCase())
              ?.minutes ?? '0',
          ).toBe(minutes(sleep, stage));
      } else
        expect(new Set(reportedSleep.stages.map(({ type }: Json) => type))).toEqual(
          new Set(['AWAKE', 'ASLEEP']),
        );
      const id = name.split('/').at(-1);
      expect((await connections.get(person)!.get(pointsPath('sleep', {}, `/${id}`))).body).toEqual(
        points[index],
      );
    }
  });

  test('returns exercises', async () => {
    const member = 'exercise.interval.civil_start_time';
    const { points } = await readAll(connections.get(person)!, 'exercise', {
      filter: `${member} >= "2026-03-01T00:00:00" AND ${member} < "2026-04-12T00:00:00"`,
    });
    const all = Array.from({ length: 42 }, (_, index) =>
      lab.truth(person, new Date(Date.UTC(2026, 2, 1 + index)).toISOString().slice(0, 10)),
    );
    const workouts = all.flatMap((day) => day.workouts).toReversed();
    expect(points).toHaveLength(workouts.length);
    const types: Record<string, string> = { cycling: 'BIKING', strength: 'STRENGTH_TRAINING' };
    for (const [index, workout] of workouts.entries()) {
      const { exercise } = points[index];
      const { metricsSummary: summary } = exercise;
      const zones = workout.zoneSeconds;
      expect(exercise).toMatchObject({
        exerciseType: types[workout.sport] ?? workout.sport.toUpperCase(),
        interval: { startTime: stamp(workout.start), endTime: stamp(workout.end) },
        activeDuration: `${(workout.end - workout.start) / 1000}s`,
        metricsSummary: {
          caloriesKcal: workout.activeKcal,
          averageHeartRateBeatsPerMinute: String(workout.averageHeartRate),
          heartRateZoneDurations: {
            lightTime: `${zones[0] + zones[1]}s`,
            moderateTime: `${zones[2]}s`,
            vigorousTime: `${zones[3]}s`,
            peakTime: `${zones[4]}s`,
          },
        },
      });
      expect(summary.distanceMillimeters).toBe(
        workout.distanceM === null ? undefined : workout.distanceM * 1000,
      );
      expect(summary.elevationGainMillimeters).toBe(
        workout.elevationGainM === null ? undefined : workout.elevationGainM * 1000,
      );
      if (workout.sport === 'swimming')
        expect(summary.totalSwimLengths).toBe(Math.round(workout.distanceM! / 25));
    }
  });

  test('returns weight, height and fitness', async () => {
    const weights = await read('weight', 'sample_time.civil_time');
    const scales = days().flatMap(({ body }) => body ?? []);
    expect(weights.map(({ weight }) => [weight.sampleTime.physicalTime, weight.weightGrams])).toEqual(
      scales.map(({ at, weightKg }) => [stamp(at), Math.round(weightKg * 1000)]),
    );
    const fats = await read('body-fat', 'sample_time.civil_time');
    expect(fats.map(({ bodyFat }) => bodyFat.percentage)).toEqual(scales.map(({ fatPercent }) => fatPercent));
    const heights = await readAll(connections.get(person)!, 'height', {});
    expect(heights.points.map(({ height }) => height.heightMillimeters)).toEqual([
      String(personOf(person, 1)!.heightM * 1000),
    ]);
    const vo2 = await read('vo2-max', 'sample_time.civil_time');
    expect(vo2.map(({ vo2Max }) => vo2Max.vo2Max)).toEqual(days().map((day) => day.vo2Max));
  });
});
