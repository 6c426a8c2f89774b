import { describe, expect, test } from 'vitest';
import { figuresOf } from './workout-figures.ts';

const span = { startMs: 0, endMs: 90 * 60_000, trace: null };

describe('figures of a workout', () => {
  test('are null without data', () => {
    expect(figuresOf({ ...span, values: {} })).toEqual({
      durationMinutes: 90,
      averageHeartRate: null,
      maxHeartRate: null,
      speedKmh: null,
      paceSecondsPerKm: null,
    });
  });

  test('use the values of the source if it reports them', () => {
    const values = {
      duration: 60,
      distance: 10,
      heart_rate_avg: 140,
      heart_rate_max: 170,
      avg_speed_kmh: 10.5,
      avg_pace_seconds_per_km: 343,
    };
    expect(figuresOf({ ...span, values, trace: { meanBpm: 1, maxBpm: 2 } })).toEqual({
      durationMinutes: 60,
      averageHeartRate: 140,
      maxHeartRate: 170,
      speedKmh: 10.5,
      paceSecondsPerKm: 343,
    });
  });

  test('are computed from trace, distance and time otherwise', () => {
    const trace = { meanBpm: 141.25, maxBpm: 172 };
    expect(figuresOf({ ...span, values: { distance: 12 }, trace })).toEqual({
      durationMinutes: 90,
      averageHeartRate: 141.25,
      maxHeartRate: 172,
      speedKmh: 8,
      paceSecondsPerKm: 450,
    });
    expect(figuresOf({ ...span, values: { distance: 12, duration: 60 } })).toMatchObject({
      speedKmh: 12,
      paceSecondsPerKm: 300,
    });
  });

  test('are not computed from missing or implausible values', () => {
    expect(figuresOf({ ...span, values: { distance: 0 } })).toMatchObject({
      speedKmh: null,
      paceSecondsPerKm: null,
    });
    // 0.5 km in 90 minutes gives no pace, and 400 km gives no speed.
    expect(figuresOf({ ...span, values: { distance: 0.5 } })).toMatchObject({ paceSecondsPerKm: null });
    expect(figuresOf({ ...span, values: { distance: 400 } })).toMatchObject({ speedKmh: null });
  });
});
