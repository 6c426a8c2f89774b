/**
 * The rules before coverage: the highest-ranked device decides, however little it observed, and the devices of a health store are not merged.
 * Written independently of the service, to compare with.
 */
import { familyOf, sportTypeOf } from '@tributary/domain';
import type { ReportedWorkout } from './subject.ts';

/** A device's value for a day, as an explanation lists it. */
export interface DeviceValue {
  provider: string;
  /** 1 is the highest rank. */
  position: number;
  value: number;
}

/** The value of the highest-ranked device. */
export function chooseByRank(values: readonly DeviceValue[]): number | null {
  return values.toSorted((a, b) => a.position - b.position)[0]?.value ?? null;
}

/** The largest value of a provider, each represented by its highest-ranked device. */
export function chooseLargest(values: readonly DeviceValue[]): number | null {
  const byProvider = Map.groupBy(values, ({ provider }) => provider);
  const ofProviders = [...byProvider.values()].map((own) => chooseByRank(own)!);
  return ofProviders.length > 0 ? Math.max(...ofProviders) : null;
}

/** The number of workouts that start in a span: overlapping ones count once if their sports belong to one family. */
export function countWorkouts(workouts: readonly ReportedWorkout[], fromMs: number, toMs: number): number {
  const groups: ReportedWorkout[][] = [];
  for (const workout of workouts.toSorted((a, b) => a.startMs - b.startMs)) {
    const group = groups.find((members) => members.some((other) => areSame(workout, other)));
    if (group) group.push(workout);
    else groups.push([workout]);
  }
  return groups.filter(([first]) => first!.startMs >= fromMs && first!.startMs < toMs).length;
}

function areSame(a: ReportedWorkout, b: ReportedWorkout): boolean {
  if (familyOf(sportTypeOf(a.sport)) !== familyOf(sportTypeOf(b.sport))) return false;
  const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return sharedMs * 2 >= Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
}
