import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { android, outcomes, steps, Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the day of 23 hours in Berlin', () => {
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app);
    await story.upload(
      [
        watch,
        {
          records: [
            steps('2026-03-28T22:50:00Z', '2026-03-28T22:55:00Z', 100), // 23:50 on the 28th
            steps('2026-03-28T23:05:00Z', '2026-03-28T23:10:00Z', 200), // 00:05 on the 29th
            steps('2026-03-29T00:50:00Z', '2026-03-29T01:10:00Z', 1000), // 01:50 to 03:10, which is 20 minutes
            steps('2026-03-29T21:50:00Z', '2026-03-29T21:55:00Z', 400), // 23:50 on the 29th
            steps('2026-03-29T22:05:00Z', '2026-03-29T22:10:00Z', 800), // 00:05 on the 30th
          ],
          sleep: [
            {
              id: 'night',
              start: '2026-03-28T22:00:00Z',
              end: '2026-03-29T05:00:00Z',
              stages: [{ stage: 'asleep', start: '2026-03-28T22:00:00Z', end: '2026-03-29T05:00:00Z' }],
            },
          ],
        },
      ],
      [android, { records: [steps('2026-03-29T01:00:00Z', '2026-03-29T01:20:00Z', 600)] }],
    );
  });

  test('ends at local midnight', async () => {
    expect(await story.values('steps', '2026-03-28', '2026-03-30')).toEqual([100, 1600, 800]);
    expect((await story.samples('steps', '2026-03-29')).map(([time]) => time)).toEqual([
      '23:05',
      '00:50',
      '21:50',
    ]);
  });

  test('has a night of seven hours from eleven to seven', async () => {
    expect(await story.sessions('sleep', '2026-03-29')).toMatchObject([
      {
        start_time: '2026-03-28T23:00:00',
        end_time: '2026-03-29T07:00:00',
        duration_minutes: 420,
        asleep_minutes: 420,
        is_main_sleep: true,
      },
    ]);
    expect(await story.value('bedtime', '2026-03-29')).toBe(-60);
    expect(await story.value('wake_time', '2026-03-29')).toBe(420);
  });

  test('is merged by elapsed time: the skipped hour leaves no gap', async () => {
    await story.changeSettings({ metrics: { steps: { method: 'merge' } } });
    // The phone counts from the end of the watch's twenty minutes: ten of its own twenty.
    expect(await story.value('steps', '2026-03-29')).toBe(1900);
  });
});

test('counts both occurrences of the repeated hour in the day of 25 hours', async () => {
  const story = await Story.begin(app);
  await story.upload([
    watch,
    {
      records: [
        steps('2026-10-24T21:55:00Z', '2026-10-24T21:59:00Z', 1), // 23:55 on the 24th
        steps('2026-10-24T22:00:00Z', '2026-10-24T22:05:00Z', 20), // midnight
        steps('2026-10-25T00:30:00Z', '2026-10-25T00:35:00Z', 300), // half past two
        steps('2026-10-25T01:30:00Z', '2026-10-25T01:35:00Z', 400), // the second half past two
        steps('2026-10-25T22:55:00Z', '2026-10-25T22:59:00Z', 500), // 23:55 on the 25th
        steps('2026-10-25T23:00:00Z', '2026-10-25T23:05:00Z', 6), // midnight
      ],
    },
  ]);
  expect(await story.values('steps', '2026-10-24', '2026-10-26')).toEqual([1, 1220, 6]);
});

describe('a daily total dated by the platform, alongside samples', () => {
  let story: Story;
  beforeAll(async () => {
    story = await Story.begin(app, 'UTC');
    await story.upload(
      [
        watch,
        {
          daily: [{ metric: 'steps', date: '2026-03-10', value: 9000 }],
          records: [
            steps('2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z', 7000),
            steps('2026-03-11T22:30:00Z', '2026-03-11T22:50:00Z', 2000),
          ],
        },
      ],
      [android, { records: [steps('2026-03-10T12:30:00Z', '2026-03-10T13:30:00Z', 8000)] }],
    );
  });

  test('uses the total for that device, and samples where there is no total', async () => {
    expect(await story.values('steps', '2026-03-10', '2026-03-12')).toEqual([9000, 2000, null]);
    expect(outcomes(await story.explain('steps', '2026-03-10'))).toEqual({
      watch: 'won: best_rank',
      phone: 'lost: lower_rank',
    });
  });

  test('merge uses intervals and ignores the total, which has none', async () => {
    await story.changeSettings({ metrics: { steps: { method: 'merge' } } });
    expect(await story.value('steps', '2026-03-10')).toBe(11_000); // 7,000 and half of 8,000
    expect(await story.value('steps', '2026-03-11')).toBe(2000);
  });

  test('a time zone change for all days splits samples into different days and leaves the dated total where it is', async () => {
    await story.changeSettings({ metrics: { steps: { method: 'priority' } } });
    await story.moveTo('Asia/Kathmandu', 'all'); // 5 hours and 45 minutes ahead
    expect(await story.values('steps', '2026-03-10', '2026-03-12')).toEqual([9000, null, 2000]);
  });
});
