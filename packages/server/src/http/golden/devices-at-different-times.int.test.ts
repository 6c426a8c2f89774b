import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { android, band, iphone, outcomes, ring, steps, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const date = '2026-03-10';
/** Berlin is an hour ahead of UTC on that day; times here are local. */
const at = (time: string) => `${date}T${time}:00+01:00`;
const by = (method: 'priority' | 'merge' | 'max' | 'avg' | 'sum') => ({ metrics: { steps: { method } } });

describe('a watch, a band and a phone worn at different times', () => {
  /*
   *              07–08   12–13   15–15:30   18–18:30  18:30–19  19–19:30   in all
   * walked        3200    2400      900       1500      1500       800     10,300
   * watch                 2400                1500      1500                5,400
   * band                            900                  800       800      2,500
   * phone         3200                        1400      1400                6,000
   */
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    await story.upload(
      [watch, { records: [steps(at('12:00'), at('13:00'), 2400), steps(at('18:00'), at('19:00'), 3000)] }],
      [band, { records: [steps(at('15:00'), at('15:30'), 900), steps(at('18:30'), at('19:30'), 1600)] }],
      [android, { records: [steps(at('07:00'), at('08:00'), 3200), steps(at('18:00'), at('19:00'), 2800)] }],
    );
  });

  test('uses the highest rank by default, which is the watch’s', async () => {
    expect(await story.value('steps', date)).toBe(5400);
    expect(outcomes(await story.explain('steps', date))).toMatchObject({ watch: 'won: best_rank' });
  });

  test('max uses the largest count, which is the phone’s', async () => {
    await story.changeSettings(by('max'));
    expect(await story.value('steps', date)).toBe(6000);
    expect(await story.providersOf('steps', date)).toEqual(['health_connect']);
    expect(outcomes(await story.explain('steps', date))).toEqual({
      watch: 'lost: smaller_value',
      band: 'lost: smaller_value',
      phone: 'won: largest_value',
    });
    expect(await story.samples('steps', date)).toEqual([
      ['06:00', 3200, 'health_connect'],
      ['17:00', 2800, 'health_connect'],
    ]);
  });

  test('merges to exactly the number of steps walked', async () => {
    await story.changeSettings(by('merge'));
    expect(await story.value('steps', date)).toBe(10_300);
    expect(await story.providersOf('steps', date)).toEqual([
      'apple_health',
      'samsung_health',
      'health_connect',
    ]);
    const merged = [
      ['06:00', 3200, 'health_connect'],
      ['11:00', 2400, 'apple_health'],
      ['14:00', 900, 'samsung_health'],
      ['17:00', 3000, 'apple_health'],
      ['18:00', 800, 'samsung_health'],
    ];
    expect(await story.samples('steps', date)).toEqual(merged);
    const explained = await story.explain('steps', date);
    expect(explained).toMatchObject({ value: 10_300, method: { in_force: 'merge', applied: 'merge' } });
    expect(
      explained.merged.map((one: { start: string; value: number }) => [one.start.slice(11, 16), one.value]),
    ).toEqual(merged.map(([time, value]) => [time, value]));
  });

  test.each([
    ['priority', 5400, ['apple_health']],
    ['max', 6000, ['health_connect']],
    ['sum', 13_900, ['apple_health', 'samsung_health', 'health_connect']],
    ['avg', 4633, ['apple_health', 'samsung_health', 'health_connect']],
  ] as const)('%s returns %i', async (method, value, providers) => {
    await story.changeSettings(by(method));
    expect(await story.value('steps', date)).toBe(value);
    expect(await story.providersOf('steps', date)).toEqual(providers);
    expect(await story.explain('steps', date)).toMatchObject({
      value,
      method: { applied: method },
      winner: { provider: providers[0] },
    });
  });
});

describe('an iPhone and a watch of one provider', () => {
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    const total = (value: number) => ({ daily: [{ metric: 'steps', date, value }] });
    await story.upload([watch, total(8000)], [iphone, total(9500)], [ring, total(6001)]);
  });

  test.each([
    // One health store is one record: the larger total of its devices.
    ['max', 9500],
    ['sum', 15_501],
    ['avg', 7751],
    ['priority', 9500],
  ] as const)('%s returns %i', async (method, value) => {
    await story.changeSettings(by(method));
    expect(await story.value('steps', date)).toBe(value);
    expect(await story.explain('steps', date)).toMatchObject({ value });
    const isShared = method === 'sum' || method === 'avg';
    expect(await story.providersOf('steps', date)).toEqual(
      isShared ? ['apple_health', 'health_connect'] : ['apple_health'],
    );
    expect(outcomes(await story.explain('steps', date))).toMatchObject({
      phone: `${isShared ? 'contributed' : 'won'}: largest_value`,
      watch: 'lost: smaller_value',
    });
  });

  test('uses only the ring when the provider is disabled', async () => {
    await story.changeSettings({ metrics: { steps: { method: 'sum', providers: { apple_health: false } } } });
    expect(await story.value('steps', date)).toBe(6001);
    expect(await story.providersOf('steps', date)).toEqual(['health_connect']);
  });
});

describe('two kinds of HRV', () => {
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    const reading = (metric: string, value: number) => ({
      records: [{ metric, start: at('07:00'), value }],
    });
    await story.upload(
      [watch, reading('heart_rate_variability', 48)],
      [ring, reading('heart_rate_variability_rmssd', 62.5)],
    );
  });

  test('are returned side by side', async () => {
    expect(await story.value('heart_rate_variability', date)).toBe(48);
    expect(await story.value('heart_rate_variability_rmssd', date)).toBe(62.5);
    expect(await story.samples('heart_rate_variability', date)).toEqual([['06:00', 48, 'apple_health']]);
    expect(await story.samples('heart_rate_variability_rmssd', date)).toEqual([
      ['06:00', 62.5, 'health_connect'],
    ]);
  });

  test.each(['avg', 'priority'] as const)('never substitute for each other with %s', async (method) => {
    const settings = { method, providers: { apple_health: false } };
    await story.changeSettings({
      metrics: {
        heart_rate_variability: settings,
        heart_rate_variability_rmssd: { method },
      },
    });
    expect(await story.value('heart_rate_variability', date)).toBeNull();
    expect(await story.reason('heart_rate_variability', date)).toBe('excluded');
    expect(await story.samples('heart_rate_variability', date)).toEqual([]);
    expect(await story.value('heart_rate_variability_rmssd', date)).toBe(62.5);
    expect(await story.providersOf('heart_rate_variability_rmssd', date)).toEqual(['health_connect']);
  });
});
