import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Day, Sample } from '../../world/people/day.ts';
import type { Connection, Json } from '../../test/connect-person.ts';
import { googleHealth } from './index.ts';
import { connectAll, pointsPath, readAll, sendJson } from './test-client.ts';

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
const parts = (date: string): object => {
  const [year, month, day] = date.split('-').map(Number);
  return { year, month, day };
};

describe.each(people)('%s', (person) => {
  const days = (): Day[] => dates.map((date) => lab.truth(person, date));
  const offset = person === 'ada' ? '7200s' : '19800s';
  const read = async (type: string, member: string, verb = ''): Promise<Json[]> => {
    const name = `${type.replaceAll('-', '_')}.${member}`;
    const filter = `${name} >= "2026-04-08" AND ${name} < "2026-04-12"`;
    const { points } = await readAll(connections.get(person)!, type, { filter }, verb);
    return points.toReversed();
  };

  test('counts steps of band and phone twice in a list, and matches the ground truth when reconciled or limited to the band', async () => {
    const listed = await read('steps', 'interval.civil_start_time');
    const merged = await read('steps', 'interval.civil_start_time', ':reconcile');
    const count = (points: Json[]): number => sum(points.map(({ steps }) => Number(steps.count)));
    const truth = sum(days().map(({ steps }) => steps));
    expect(count(merged)).toBe(truth);
    expect(count(listed)).toBeGreaterThan(1.5 * truth);
    const ofBand = listed.filter(({ dataSource }) => dataSource.device.displayName.includes('Watch'));
    expect(count(ofBand)).toBe(truth);
    const hours = days().flatMap(({ start, hourlySteps }) =>
      hourlySteps.map((steps, hour) => ({ at: start + hour * 3_600_000, steps })),
    );
    expect(
      merged.map(({ steps }) => ({ at: Date.parse(steps.interval.startTime), steps: Number(steps.count) })),
    ).toEqual(hours.filter(({ steps }) => steps > 0));
    for (const { steps } of merged) {
      expect(steps.interval).toMatchObject({ startUtcOffset: offset, endUtcOffset: offset });
      expect(typeof steps.count).toBe('string');
    }
    const { body } = await connections
      .get(person)!
      .get(
        pointsPath(
          'steps',
          { dataSourceFamily: 'users/me/dataSourceFamilies/google-wearables' },
          ':reconcile',
        ),
      );
    expect(body.dataPoints[0]).not.toHaveProperty('dataSource');
  });

  test.each([
    ['distance', ({ distance }: Json) => Number(distance.millimeters), (day: Day) => day.distanceM * 1000],
    ['floors', ({ floors }: Json) => Number(floors.count), (day: Day) => day.floors],
    [
      'active-energy-burned',
      ({ activeEnergyBurned }: Json) => activeEnergyBurned.kcal,
      (day: Day) => day.activeKcal,
    ],
    [
      'basal-energy-burned',
      ({ basalEnergyBurned }: Json) => basalEnergyBurned.kcal,
      (day: Day) => day.basalKcal,
    ],
    [
      'altitude',
      ({ altitude }: Json) => Number(altitude.gainMillimeters),
      (day: Day) => sum(day.workouts.map(({ elevationGainM }) => 1000 * (elevationGainM ?? 0))),
    ],
  ])('%s adds up to the ground truth', async (type, valueOf, truthOf) => {
    const points = await read(type, 'interval.civil_start_time');
    expect(sum(points.map(valueOf))).toBe(sum(days().map(truthOf)));
  });

  test('returns active minutes in three levels and zone minutes of workouts', async () => {
    const points = await read('active-minutes', 'interval.civil_start_time');
    const levels = points.flatMap(({ activeMinutes }) => activeMinutes.activeMinutesByActivityLevel);
    for (const [level, field] of [
      ['LIGHT', 'low'],
      ['MODERATE', 'medium'],
      ['VIGOROUS', 'high'],
    ] as const)
      expect(
        sum(levels.filter((one) => one.activityLevel === level).map((one) => Number(one.activeMinutes))),
      ).toBe(sum(days().map(({ activeSeconds }) => Math.round(activeSeconds[field] / 60))));
    const zones = await read('active-zone-minutes', 'interval.civil_start_time');
    for (const [zone, index] of [
      ['FAT_BURN', 2],
      ['CARDIO', 3],
      ['PEAK', 4],
    ] as const)
      expect(
        sum(
          zones
            .map(({ activeZoneMinutes }) => activeZoneMinutes)
            .filter(({ heartRateZone }) => heartRateZone === zone)
            .map(({ activeZoneMinutes }) => Number(activeZoneMinutes)),
        ),
      ).toBe(
        sum(
          days().flatMap(({ workouts }) =>
            workouts.map(({ zoneSeconds }) => Math.floor(zoneSeconds[index] / 60)),
          ),
        ),
      );
  });

  test('returns samples of heart rate, glucose and nights', async () => {
    const samples = async (type: string, key: string, field: string) =>
      (await read(type, 'sample_time.civil_time')).map((point) => ({
        at: Date.parse(point[key].sampleTime.physicalTime),
        value: Number(point[key][field]),
      }));
    const heartRate = days().flatMap((day) => day.heartRate);
    expect(await samples('heart-rate', 'heartRate', 'beatsPerMinute')).toEqual(heartRate);
    expect(await samples('blood-glucose', 'bloodGlucose', 'bloodGlucoseMilligramsPerDeciliter')).toEqual(
      days().flatMap((day) => day.glucose),
    );
    const around = ['2026-04-07', ...dates, '2026-04-12'].flatMap((date) => lab.truth(person, date).sleeps);
    const inside = ({ at }: Sample): boolean => at >= days()[0]!.start && at < days().at(-1)!.end;
    expect(
      await samples(
        'heart-rate-variability',
        'heartRateVariability',
        'rootMeanSquareOfSuccessiveDifferencesMilliseconds',
      ),
    ).toEqual(around.flatMap(({ hrv }) => hrv).filter(inside));
    const sleeps = days().flatMap((day) => day.sleeps);
    expect(await samples('oxygen-saturation', 'oxygenSaturation', 'percentage')).toEqual(
      sleeps.map(({ end, bloodOxygenPercent }) => ({ at: end, value: bloodOxygenPercent })),
    );
    const breaths = await read('respiratory-rate-sleep-summary', 'sample_time.civil_time');
    expect(
      breaths.map(({ respiratoryRateSleepSummary: one }) => one.fullSleepStats.breathsPerMinute),
    ).toEqual(sleeps.map(({ respiratoryRate }) => respiratoryRate));
  });

  test('returns values recorded once per date', async () => {
    const daily = async (type: string, key: string): Promise<Json[]> =>
      (await read(type, 'date')).map((point) => point[key]);
    const truths = days().map((day) => ({ day, date: parts(day.date), night: day.sleeps[0]! }));
    expect(await daily('daily-resting-heart-rate', 'dailyRestingHeartRate')).toEqual(
      truths.map(({ day, date }) => ({ date, beatsPerMinute: String(day.restingHeartRate) })),
    );
    expect(await daily('daily-heart-rate-variability', 'dailyHeartRateVariability')).toEqual(
      truths.map(({ night, date }) => ({
        date,
        averageHeartRateVariabilityMilliseconds: night.averageHrv,
        deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds: expect.any(Number),
      })),
    );
    expect(await daily('daily-oxygen-saturation', 'dailyOxygenSaturation')).toMatchObject(
      truths.map(({ night, date }) => ({ date, averagePercentage: night.bloodOxygenPercent })),
    );
    expect(await daily('daily-respiratory-rate', 'dailyRespiratoryRate')).toEqual(
      truths.map(({ day, date }) => ({ date, breathsPerMinute: day.respiratoryRate })),
    );
    const temperatures = await daily(
      'daily-sleep-temperature-derivations',
      'dailySleepTemperatureDerivations',
    );
    for (const [index, { day, date, night }] of truths.entries()) {
      const { nightlyTemperatureCelsius: nightly, baselineTemperatureCelsius: usual } = temperatures[index];
      expect([temperatures[index].date, nightly]).toEqual([date, night.skinTemperatureC]);
      expect(nightly - usual).toBeCloseTo(day.temperatureDeviationC, 2);
    }
    expect(await daily('daily-vo2-max', 'dailyVo2Max')).toEqual(
      truths.map(({ day, date }) => ({ date, vo2Max: day.vo2Max })),
    );
  });

  test('rolls up by day and by hour', async () => {
    const token = connections.get(person)!.accessToken;
    const roll = async (type: string): Promise<Json[]> => {
      const range = { start: { date: parts(dates[0]!) }, end: { date: parts('2026-04-12') } };
      const { body } = await sendJson('POST', `${lab.url}${pointsPath(type, {}, ':dailyRollUp')}`, token, {
        range,
      });
      expect(body.rollupDataPoints.map(({ civilStartTime }: Json) => civilStartTime)).toEqual(
        dates.map((date) => ({ date: parts(date), time: {} })),
      );
      return body.rollupDataPoints;
    };
    expect((await roll('steps')).map(({ steps }) => steps.countSum)).toEqual(
      days().map(({ steps }) => String(steps)),
    );
    expect((await roll('distance')).map(({ distance }) => distance.millimetersSum)).toEqual(
      days().map(({ distanceM }) => String(distanceM * 1000)),
    );
    expect((await roll('total-calories')).map(({ totalCalories }) => totalCalories.kcalSum)).toEqual(
      days().map(({ activeKcal, basalKcal }) => activeKcal + basalKcal),
    );
    const beats = days().map(({ heartRate }) => heartRate.map(({ value }) => value));
    expect((await roll('heart-rate')).map(({ heartRate }) => heartRate)).toEqual(
      beats.map((values) => ({
        beatsPerMinuteAvg: sum(values) / values.length,
        beatsPerMinuteMin: Math.min(...values),
        beatsPerMinuteMax: Math.max(...values),
      })),
    );
    const day = days()[0]!;
    const range = { startTime: stamp(day.start), endTime: stamp(day.end) };
    const url = `${lab.url}${pointsPath('steps', {}, ':rollUp')}`;
    const { body } = await sendJson('POST', url, token, { range, windowSize: '3600s' });
    expect(body.rollupDataPoints.map((one: Json) => [one.startTime, one.steps.countSum])).toEqual(
      day.hourlySteps.flatMap((steps, hour) =>
        steps > 0 ? [[stamp(day.start + hour * 3_600_000), String(steps)]] : [],
      ),
    );
  });
});
