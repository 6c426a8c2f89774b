import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { SandboxWeek, WeekDay } from '../../services/sandbox/read-week.ts';
import { renderWeek } from './week.ts';

const monday = Date.parse('2026-11-09') / 86_400_000;
const noScores: WeekDay['scores'] = {
  recovery_score: null,
  strain_score: null,
  sleep_score: null,
  stress_score: null,
  nutrition_score: null,
  energy_reserve_score: null,
};

/** 48 until seven, 64 while awake, and 140 during an hour from 17:00, up to the given ten-minute interval of the day. */
function heartOf(tens: number): (number | null)[] {
  return Array.from({ length: 144 }, (_, at) => {
    if (at >= tens) return null;
    return at < 42 ? 48 : at >= 102 && at < 108 ? 140 : 64;
  });
}

const nothing: WeekDay = {
  day: monday,
  heartRate: heartOf(0),
  lowestHeartRate: null,
  highestHeartRate: null,
  steps: null,
  sleep: [],
  workouts: [],
  scores: noScores,
};

const week: SandboxWeek = {
  person: {
    id: '0199d6d1-6e5a-7bbb-8ccc-0123456789ab',
    referenceId: 'ada',
    daysAhead: 1,
    scoreStatus: 'ready',
    archetype: 'office_worker',
    timezone: 'Europe/Berlin',
    providers: ['oura', 'garmin'],
  },
  nowMinute: 13 * 60 + 4.5,
  days: [
    nothing,
    {
      day: monday + 1,
      heartRate: heartOf(144).with(50, null).with(51, null).with(52, null),
      lowestHeartRate: 47,
      highestHeartRate: 151,
      steps: 12_345,
      sleep: [
        { startMinute: -60, endMinute: 420, isMain: true, asleepMinutes: 449.6, efficiencyPercent: 93.7 },
        { startMinute: 640, endMinute: 680, isMain: false, asleepMinutes: 40, efficiencyPercent: 100 },
      ],
      workouts: [
        { startMinute: 1020, sport: 'strength_training', durationMinutes: 59.7, strain: 51 },
        { startMinute: 1200, sport: 'walking', durationMinutes: 30, strain: null },
      ],
      scores: {
        ...noScores,
        recovery_score: 100,
        strain_score: 62.1,
        sleep_score: 81,
        stress_score: 4,
        nutrition_score: 71.2,
      },
    },
    {
      day: monday + 2,
      heartRate: heartOf(78),
      lowestHeartRate: 48,
      highestHeartRate: 64,
      steps: 900,
      sleep: [{ startMinute: 15, endMinute: 415, isMain: true, asleepMinutes: 390, efficiencyPercent: null }],
      workouts: [],
      scores: { ...noScores, sleep_score: 70.5, energy_reserve_score: 57.2 },
    },
  ],
  latest: [
    {
      type: 'sleep_score',
      day: monday + 2,
      publishedMs: 0,
      version: 2,
      confidence: 'normal',
      value: 70.5,
      factors: [
        { name: 'baseline', contribution: 75, direction: 'neutral' },
        { name: 'duration', contribution: -8.4, direction: 'negative' },
        { name: 'restorative_sleep', contribution: 3.9, direction: 'positive' },
        { name: 'latency', contribution: 0, direction: 'neutral' },
      ],
    },
    {
      type: 'nutrition_score',
      day: monday + 1,
      publishedMs: 0,
      version: 2,
      confidence: 'normal',
      value: 71.2,
      factors: [
        { name: 'baseline', contribution: 50, direction: 'neutral' },
        { name: 'added_sugar_and_sweets', contribution: 12.4, direction: 'positive' },
        { name: 'saturated_fat', contribution: 5.6, direction: 'positive' },
        { name: 'fiber', contribution: 3.2, direction: 'positive' },
        { name: 'sodium', contribution: 1, direction: 'positive' },
      ],
    },
    {
      type: 'energy_reserve_score',
      day: monday + 2,
      publishedMs: 0,
      version: 2,
      confidence: 'normal',
      value: 57.2,
      factors: [],
    },
  ],
};

const plain = { width: 100, color: false };

describe('week', () => {
  test('prints on a wide screen', () => {
    expect(`\n${renderWeek(week, plain)}\n`).toBe(`
ada  office worker                                                 user_01k7bd2vjtfexrsk014d2pf2db
Wednesday, November 11, 2026, 13:04 in Europe/Berlin, 1 day ahead
oura, garmin

Heart rate  00          04          08          12          16          20              low   high
Mon Nov  9  ·                                                                             ·      ·
Tue Nov 10  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃▃▃·▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃███▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃     47    151
Wed Nov 11  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃                                      48     64

Sleep       20       22       00       02       04       06       08       10        asleep   eff.
Mon Nov  9  ·                                                                             ·      ·
Tue Nov 10               ╺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╸                ───      7h30    94%
Wed Nov 11                     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━                          6h30      ·

Steps                                                          Workouts                 min strain
Mon Nov  9       ·
Tue Nov 10  12,345 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  strength training         60   51.0
                                                               walking                   30      ·
Wed Nov 11     900 ━━━

Scores       recovery      strain        sleep         stress        nutrition     reserve
Mon Nov  9      ·             ·             ·             ·             ·             ·
Tue Nov 10  100.0 ━━━━━━   62.1 ━━━╸     81.0 ━━━━━     4.0 ╸        71.2 ━━━━╸       ·
Wed Nov 11      ·             ·          70.5 ━━━━        ·             ·          57.2 ━━━╸

Why         score  band        top factors
sleep        70.5  fair        duration -8.4   restorative_sleep +3.9
nutrition    71.2  needs work  Tue: added_sugar_and_sweets +12.4   saturated_fat +5.6   fiber +3.2
reserve      57.2  high

· no value   ─ nap   Scores describe wellness. They are not medical advice.
`);
  });

  test('prints on a screen of 80 columns', () => {
    expect(`\n${renderWeek(week, { width: 80, color: false })}\n`).toBe(`
ada  office worker                             user_01k7bd2vjtfexrsk014d2pf2db
Wednesday, November 11, 2026, 13:04 in Europe/Berlin, 1 day ahead
oura, garmin

Heart rate  00      04      08      12      16      20            low     high
Mon Nov  9  ·                                                       ·        ·
Tue Nov 10  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃██▃▃▃▃▃▃▃▃▃▃▃▃       47      151
Wed Nov 11  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▃▃▃▃                             48       64

Sleep       20    22    00    02    04    06    08    10       asleep     eff.
Mon Nov  9  ·                                                       ·        ·
Tue Nov 10           ━━━━━━━━━━━━━━━━━━━━━━━━           ──       7h30      94%
Wed Nov 11               ━━━━━━━━━━━━━━━━━━━━                    6h30        ·

Steps                                  Workouts                   min   strain
Mon Nov  9       ·
Tue Nov 10  12,345 ━━━━━━━━━━━━━━━━━━  strength training           60     51.0
                                       walking                     30        ·
Wed Nov 11     900 ━╸

Scores         recovery     strain      sleep     stress  nutrition    reserve
Mon Nov  9            ·          ·          ·          ·          ·          ·
Tue Nov 10        100.0       62.1       81.0        4.0       71.2          ·
Wed Nov 11            ·          ·       70.5          ·          ·       57.2

Why         score  band        top factors
sleep        70.5  fair        duration -8.4   restorative_sleep +3.9
nutrition    71.2  needs work  Tue: added_sugar_and_sweets +12.4
reserve      57.2  high

· no value   ─ nap   Scores describe wellness. They are not medical advice.
`);
  });

  test('prints the same text in color', () => {
    const colored = renderWeek(week, { width: 100, color: true });
    expect(colored).toContain('\u001B[1mada\u001B[22m  office worker');
    const text = stripVTControlCharacters(colored).replaceAll(/ +$/gm, '');
    expect(text).toBe(renderWeek(week, plain));
  });

  test('fits the screen', () => {
    for (const width of [80, 97, 98, 200]) {
      const widths = renderWeek(week, { width, color: false })
        .split('\n')
        .map((line) => line.length);
      expect(Math.max(...widths)).toBe(width < 98 ? 78 : 98);
    }
  });
});

test('extends the night for a daytime sleeper, to a day at most', () => {
  const sleepAt = (startMinute: number, endMinute: number) => ({
    startMinute,
    endMinute,
    isMain: true,
    asleepMinutes: 400,
    efficiencyPercent: 80,
  });
  const hoursOver = (sleep: WeekDay['sleep']) => {
    const days = [{ ...nothing, sleep }];
    return renderWeek({ ...week, days, latest: [] }, plain)
      .split('\n')
      .find((line) => line.startsWith('Sleep'));
  };
  expect(hoursOver([sleepAt(-120, 400)])).toMatch(/^Sleep {7}20 +22 +00 +02 +04 +06 +08 +10 +asleep/);
  expect(hoursOver([sleepAt(460, 940)])).toMatch(/^Sleep {7}20 +00 +04 +08 +12 +asleep/);
  expect(hoursOver([sleepAt(-300, 60), sleepAt(1000, 1300)])).toMatch(
    /^Sleep {13}20 +00 +04 +08 +12 +16 +asleep/,
  );
});

test('reports a user without data', () => {
  const person = {
    ...week.person,
    archetype: 'none',
    providers: [],
    scoreStatus: 'pending' as const,
    daysAhead: 0,
  };
  expect(`\n${renderWeek({ ...week, person, days: [nothing], latest: [] }, { width: 80, color: false })}\n`)
    .toBe(`
ada  no archetype                              user_01k7bd2vjtfexrsk014d2pf2db
Monday, November 9, 2026, 13:04 in Europe/Berlin
no devices
Scores are pending.

No data for these days.
`);
});

test('puts the ID on its own line for a long reference, and strips control characters', () => {
  const person = { ...week.person, referenceId: `${'x'.repeat(70)}\u001B[2J` };
  expect(
    renderWeek({ ...week, person }, plain)
      .split('\n')
      .slice(0, 2),
  ).toEqual([`${'x'.repeat(70)}?[2J  office worker`, 'user_01k7bd2vjtfexrsk014d2pf2db']);
});
