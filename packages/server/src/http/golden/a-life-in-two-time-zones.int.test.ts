import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { iphone, steps, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const uploadsAt = '2026-11-30T12:00:00Z';
const [berlin, losAngeles] = ['Europe/Berlin', 'America/Los_Angeles'];

async function setClock(instant: string): Promise<void> {
  await app.moveClock(Date.parse(instant) - Date.now());
}

/** A user whose phone uploads at the end of the month. */
async function beginIn(timezone: string): Promise<Story> {
  await setClock(uploadsAt);
  return Story.begin(app, timezone);
}

/** Changes the time zone at an instant at which the user has not uploaded yet. */
async function moveAt(story: Story, instant: string, timezone: string): Promise<void> {
  await setClock(instant);
  await story.moveTo(timezone);
  await setClock(uploadsAt);
}

const june = {
  records: [
    steps('2026-06-10T21:50:00Z', '2026-06-10T21:55:00Z', 100), // 23:50 on the 10th in Berlin
    steps('2026-06-10T22:05:00Z', '2026-06-10T22:10:00Z', 200), // 00:05 on the 11th in Berlin
  ],
  sleep: [{ id: 'night', start: '2026-06-09T21:30:00Z', end: '2026-06-10T05:00:00Z' }],
  workouts: [
    { id: 'run', sport_type: 'running', start: '2026-06-10T22:30:00Z', end: '2026-06-10T23:10:00Z' },
  ],
};

describe('a user who lived in Berlin in June and moves to Los Angeles in November', () => {
  let story: Story;

  async function ofJune(): Promise<unknown> {
    const [sleep] = await story.sessions('sleep', '2026-06-09', '2026-06-12');
    const [run] = await story.sessions('workouts', '2026-06-09', '2026-06-12');
    const { timezone } = await story.explain('steps', '2026-06-10');
    return {
      steps: await story.values('steps', '2026-06-09', '2026-06-12'),
      wake: await story.values('wake_time', '2026-06-09', '2026-06-10'),
      workouts: await story.values('workout_count', '2026-06-10', '2026-06-11'),
      sleep: [sleep.date, sleep.start_time, sleep.end_time],
      run: run.start_time,
      samples: (await story.samples('steps', '2026-06-10')).map(([time]) => time),
      timezone,
    };
  }

  const inBerlin = {
    steps: [null, 100, 200, null],
    wake: [null, 420],
    workouts: [0, 1],
    sleep: ['2026-06-10', '2026-06-09T23:30:00', '2026-06-10T07:00:00'],
    run: '2026-06-11T00:30:00',
    samples: ['21:50'],
    timezone: berlin,
  };

  beforeAll(async () => {
    story = await beginIn(berlin);
    await story.upload(
      [watch, june],
      [
        watch,
        {
          records: [
            steps('2026-11-17T22:55:00Z', '2026-11-17T23:00:00Z', 1), // 23:55 on the 17th in Berlin
            steps('2026-11-17T23:00:00Z', '2026-11-17T23:05:00Z', 20), // midnight in Berlin
          ],
          sleep: [{ id: 'last night', start: '2026-11-17T22:00:00Z', end: '2026-11-18T06:00:00Z' }],
        },
      ],
    );
  });

  test('has days of Berlin before the move', async () => {
    expect(await ofJune()).toEqual(inBerlin);
  });

  // @contract all/sources: A new time zone applies from now on, and earlier days stay as they are
  test('keeps them after the move', async () => {
    await moveAt(story, '2026-11-18T19:00:00Z', losAngeles); // 20:00 in Berlin, 11:00 in Los Angeles
    expect(await ofJune()).toEqual(inBerlin);
  });

  // @contract all/sources: The day of a move starts at midnight in the previous time zone and ends at midnight in the new one: 33 hours from Berlin to Los Angeles
  test('has a day of 33 hours when it moves', async () => {
    await story.upload([
      watch,
      {
        records: [
          steps('2026-11-19T07:55:00Z', '2026-11-19T08:00:00Z', 300), // 23:55 on the 18th in Los Angeles
          steps('2026-11-19T08:00:00Z', '2026-11-19T08:05:00Z', 400), // midnight there
        ],
        series: [
          {
            metric: 'heart_rate',
            start: '2026-11-17T23:00:00Z',
            interval_seconds: 900,
            values: Array(66).fill(60),
          },
        ],
      },
    ]);
    expect(await story.values('steps', '2026-11-17', '2026-11-19')).toEqual([1, 320, 400]);
    // 66 quarters of an hour are half of the day.
    expect(await story.coverage('heart_rate_min', '2026-11-18')).toBe(0.5);
    expect((await story.explain('steps', '2026-11-18')).timezone).toBe(losAngeles);
  });

  // @contract all/formats: On the day of a move, clock times are in the previous time zone until the change
  test('has the clock of Berlin for the night before the move, and that of Los Angeles for the next one', async () => {
    await story.upload([
      watch,
      { sleep: [{ id: 'next', start: '2026-11-19T06:30:00Z', end: '2026-11-19T14:00:00Z' }] },
    ]);
    expect(await story.sessions('sleep', '2026-11-18', '2026-11-19')).toMatchObject([
      { date: '2026-11-19', start_time: '2026-11-18T22:30:00', end_time: '2026-11-19T06:00:00' },
      { date: '2026-11-18', start_time: '2026-11-17T23:00:00', end_time: '2026-11-18T07:00:00' },
    ]);
    expect(await story.values('bedtime', '2026-11-18', '2026-11-19')).toEqual([-60, -90]);
  });

  // @contract all/sources: Data that arrives after a move belongs to the days of the time zone in which it was recorded
  test('has a late upload for June in days of Berlin', async () => {
    const late = steps('2026-06-12T22:05:00Z', '2026-06-12T22:10:00Z', 7); // 00:05 on the 13th in Berlin
    await story.upload([iphone, { records: [late] }]);
    expect(await story.values('steps', '2026-06-12', '2026-06-13')).toEqual([null, 7]);
  });

  test('previews settings with the same days', async () => {
    expect(
      await story.preview({ metrics: { steps: { method: 'merge' } } }, '2026-06-09', '2026-06-13'),
    ).toMatchObject({ changed: false });
  });

  // @contract all/sources: `timezone_effective_from` applies a new time zone from a date on
  test('has June in days of Los Angeles if the move is effective from June', async () => {
    await story.moveTo(losAngeles, '2026-06-11');
    expect(await story.values('steps', '2026-06-09', '2026-06-13')).toEqual([null, 100, 200, 7, null]);
    await story.moveTo(losAngeles, '2026-06-10');
    expect(await story.values('steps', '2026-06-09', '2026-06-13')).toEqual([null, 300, null, 7, null]);
  });

  // @contract all/sources: `timezone_effective_from` `all` applies a new time zone to all days
  test('has all days in Los Angeles if the move is effective for all of them', async () => {
    await story.moveTo(losAngeles, 'all');
    expect(await ofJune()).toEqual({
      steps: [null, 300, null, 7],
      wake: [1320, null],
      workouts: [1, null],
      sleep: ['2026-06-09', '2026-06-09T14:30:00', '2026-06-09T22:00:00'],
      run: '2026-06-10T15:30:00',
      samples: ['21:50', '22:05'],
      timezone: losAngeles,
    });
  });
});

test('a day in the other direction has 15 hours', async () => {
  const story = await beginIn(losAngeles);
  await moveAt(story, '2026-11-18T19:00:00Z', berlin);
  await story.upload([
    watch,
    {
      records: [
        steps('2026-11-18T07:55:00Z', '2026-11-18T08:00:00Z', 1), // 23:55 on the 17th in Los Angeles
        steps('2026-11-18T08:00:00Z', '2026-11-18T08:05:00Z', 20), // midnight there
        steps('2026-11-18T22:55:00Z', '2026-11-18T23:00:00Z', 300), // 23:55 on the 18th in Berlin
        steps('2026-11-18T23:00:00Z', '2026-11-18T23:05:00Z', 400), // midnight there
      ],
    },
  ]);
  expect(await story.values('steps', '2026-11-17', '2026-11-19')).toEqual([1, 320, 400]);
});

// @contract all/sources: A date that the clock skips at a move across the date line has no data of its own
test('crossing the date line skips a date', async () => {
  const story = await beginIn('Pacific/Pago_Pago');
  await story.upload([watch, { records: [steps('2026-11-18T12:00:00Z', '2026-11-18T12:05:00Z', 5)] }]);
  expect(await story.values('steps', '2026-11-17', '2026-11-19')).toEqual([null, 5, null]);
  await moveAt(story, '2026-11-18T20:00:00Z', 'Pacific/Kiritimati');
  expect(await story.values('steps', '2026-11-17', '2026-11-19')).toEqual([null, null, 5]);
});

describe('the current day', () => {
  // @contract all/sources: After a move, today is the date that the clock in the new time zone shows
  test.each([
    ['2026-11-19T04:00:00Z', losAngeles, '2026-11-18', berlin, '2026-11-19'],
    ['2026-11-18T01:00:00Z', berlin, '2026-11-18', losAngeles, '2026-11-17'],
  ])('at %s is %s: %s, and after a move to %s it is %s', async (now, from, before, to, after) => {
    await setClock(now);
    const story = await Story.begin(app, from);
    expect(await story.today()).toBe(before);
    await story.moveTo(to);
    expect(await story.today()).toBe(after);
    await story.moveTo(from);
    expect(await story.today()).toBe(before);
  });
});
