import { mapped, numberOf, type Fields } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';

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
export function tellAverages(activity: Fields, { sport, ...place }: Place, told: Told): void {
  const family = families.get(sport);
  if (!family) return;
  // Strava counts one leg of a runner.
  const perTurn = family === 'running' ? 2 : 1;
  const tell = (metric: string, value: unknown, factor: number) =>
    told.reading({
      metric: `${family}_${metric}`,
      value: mapped(numberOf(value), (number) => (number > 0 ? number * factor : null)),
      ...place,
    });
  tell('speed', activity['average_speed'], 3.6);
  tell('power', activity['average_watts'], 1);
  tell('cadence', activity['average_cadence'], perTurn);
}
