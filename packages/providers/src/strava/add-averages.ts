import { mapped, numberOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';

interface Place {
  id: string;
  sport: string | null;
  startMs: number;
  endMs: number;
  offset: string | null;
}

/** The metrics of a sport's averages. There are none for motor-assisted sports. */
const families = new Map<string | null, 'running' | 'cycling'>([
  ['Run', 'running'],
  ['TrailRun', 'running'],
  ['VirtualRun', 'running'],
  ['Ride', 'cycling'],
  ['GravelRide', 'cycling'],
  ['MountainBikeRide', 'cycling'],
  ['VirtualRide', 'cycling'],
]);

/** Speed, power and cadence of a run or ride, each as one reading over the whole activity. */
export function addAverages(activity: Fields, { sport, ...place }: Place, batch: BatchBuilder): void {
  const family = families.get(sport);
  if (!family) return;
  // Strava counts one leg of a runner.
  const cadenceFactor = family === 'running' ? 2 : 1;
  const addAverage = (metric: string, value: unknown, factor: number) =>
    batch.addReading({
      metric: `${family}_${metric}`,
      value: mapped(numberOf(value), (number) => (number > 0 ? number * factor : null)),
      ...place,
    });
  addAverage('speed', activity['average_speed'], 3.6);
  addAverage('power', activity['average_watts'], 1);
  addAverage('cadence', activity['average_cadence'], cadenceFactor);
}
