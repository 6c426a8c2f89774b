import type { BatchWire } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { countDays } from './count-days.ts';

const day = (parts: Partial<BatchWire>) =>
  countDays({
    batch_id: '4f9b2d0e-7f4a-4a83-9d6b-0a4f5e3b2c11',
    device: { provider: 'apple_health', id: 'watch', kind: 'watch' },
    ...parts,
  });
const at = (date: string, time = '12:00:00Z') => ({ start: `${date}T${time}` });

describe('the number of days of an upload', () => {
  test.each<[string, number, Partial<BatchWire>]>([
    ['nothing', 0, {}],
    [
      'a dense series across midnight',
      2,
      {
        series: [
          {
            metric: 'heart_rate',
            ...at('2026-03-01', '23:59:00Z'),
            interval_seconds: 30,
            values: [60, 61, 62],
          },
        ],
      },
    ],
    [
      'a value a day',
      3,
      {
        series: [
          { metric: 'heart_rate', ...at('2026-03-01'), interval_seconds: 86_400, values: [60, 61, 62] },
        ],
      },
    ],
    [
      'offsets',
      2,
      {
        series: [
          {
            metric: 'heart_rate',
            ...at('2026-03-01'),
            offsets_seconds: [0, 5, 172_800],
            values: [60, 61, 62],
          },
        ],
      },
    ],
    [
      'the same days in several lists',
      2,
      {
        records: [{ metric: 'weight', ...at('2026-03-01'), value: 80 }],
        daily: [
          { metric: 'steps', date: '2026-03-01', value: 1 },
          { metric: 'steps', date: '2026-03-02', value: 1 },
        ],
        sleep: [{ id: 'night', ...at('2026-03-01'), end: '2026-03-02T06:00:00Z' }],
        workouts: [{ id: 'run', sport_type: 'running', ...at('2026-03-02'), end: '2026-03-02T13:00:00Z' }],
      },
    ],
    [
      'a time before midnight in UTC',
      1,
      { records: [{ metric: 'weight', start: '2026-03-02T00:30:00+02:00', value: 80 }] },
    ],
  ])('counts %s', (_, count, parts) => {
    expect(day(parts)).toBe(count);
  });
});
