import type { Day, Sample } from '../../../world/people/day.ts';
import type { Batch, Point, SourceName } from './batch.ts';
import { int64 } from '../wire.ts';

const hourMs = 3_600_000;

/** The hours of a day. A revision adds a few steps. */
export function hourBatches(day: Day): Batch[] {
  return day.hourlySteps.map((steps, index) => {
    const start = day.start + index * hourMs;
    const end = Math.min(start + hourMs, day.end);
    const share = (total: number): number => shareOf(total, day.hourlySteps, index);
    const evenly = (total: number): number =>
      shareOf(
        total,
        day.hourlySteps.map(() => 1),
        index,
      );
    const one = (count: number, value: Record<string, unknown>): Point[] =>
      count > 0 ? [{ start, end, source: 'watch', value }] : [];
    const samples = (
      of: readonly Sample[],
      source: SourceName,
      toValue: (value: number) => object,
    ): Point[] =>
      of
        .filter(({ at }) => start <= at && at < end)
        .map(({ at, value }) => ({ start: at, end: at, source, value: { ...toValue(value) } }));
    const active = share(day.activeKcal);
    const basal = evenly(day.basalKcal);
    return {
      kind: 'hour',
      key: `${day.date} ${index}`,
      endedAt: end,
      day,
      points: {
        steps: ({ revision }) => {
          const counted = steps > 0 ? steps + 10 * revision : 0;
          // The phone in the pocket counts some of the same steps.
          const echoed = Math.floor(counted * 0.6);
          return [
            ...one(counted, { count: int64(counted) }),
            ...one(echoed, { count: int64(echoed) }).map((point): Point => ({
              ...point,
              source: 'phone',
              isEcho: true,
            })),
          ];
        },
        distance: () => one(share(day.distanceM), { millimeters: int64(share(day.distanceM) * 1000) }),
        floors: () => one(share(day.floors), { count: int64(share(day.floors)) }),
        'active-energy-burned': () => one(active, { kcal: active }),
        'basal-energy-burned': () => one(basal, { kcal: basal }),
        'total-calories': () => one(active + basal, { kcal: active + basal }),
        'active-minutes': () => {
          const levels = minutesByLevel(day, share);
          return one(levels.length, { activeMinutesByActivityLevel: levels });
        },
        'heart-rate': () => samples(day.heartRate, 'watch', (value) => ({ beatsPerMinute: int64(value) })),
        'blood-glucose': () =>
          samples(day.glucose, 'sensor', (value) => ({ bloodGlucoseMilligramsPerDeciliter: value })),
      },
    };
  });
}

function minutesByLevel({ activeSeconds: { low, medium, high } }: Day, share: (total: number) => number) {
  return (
    [
      ['LIGHT', low],
      ['MODERATE', medium],
      ['VIGOROUS', high],
    ] as const
  )
    .map(([activityLevel, seconds]) => ({ activityLevel, minutes: share(Math.round(seconds / 60)) }))
    .filter(({ minutes }) => minutes > 0)
    .map(({ activityLevel, minutes }) => ({ activityLevel, activeMinutes: int64(minutes) }));
}

/** Splits an integer by weight into integers that add up to it. */
function shareOf(total: number, weights: readonly number[], index: number): number {
  const sum = (until: number): number => weights.slice(0, until).reduce((all, each) => all + each, 0);
  const all = sum(weights.length);
  if (all === 0) return index === 0 ? total : 0;
  return Math.round((total * sum(index + 1)) / all) - Math.round((total * sum(index)) / all);
}
