import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankForSession } from '../devices/rank.ts';
import {
  assignMerged,
  cluster,
  compareKeys,
  compareStarts,
  overlapMs,
  type ShownSession,
  type KeyedSession,
} from './cluster.ts';
import { familyOf, type SportType } from './sport-types.ts';

export interface WorkoutSession extends KeyedSession {
  readonly device: DeviceFacts;
  readonly sport: SportType;
  /** Whether the device recorded the workout itself, rather than importing it from another app. */
  readonly firstHand: boolean;
}

/**
 * Keeps one copy of every workout, sorted by start. Two are the same if their sports belong to one family and at least half of the shorter
 * one overlaps. The original recording wins, then the higher-ranked device, then the smaller key. If a long workout of a lower-ranked
 * device spans several of the winner's, all of the winner's are kept.
 */
export function clusterWorkouts<W extends WorkoutSession>(workouts: readonly W[]): ShownSession<W>[] {
  return cluster(workouts, areSame)
    .flatMap(keepBest)
    .sort((a, b) => compareStarts(a.session, b.session));
}

function areSame(a: WorkoutSession, b: WorkoutSession): boolean {
  const shorterMs = Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
  return familyOf(a.sport) === familyOf(b.sport) && overlapMs(a, b) * 2 >= shorterMs;
}

function keepBest<W extends WorkoutSession>(members: readonly W[]): ShownSession<W>[] {
  const bestFirst = members.toSorted(compareWorkouts);
  const winner = bestFirst[0]!;
  const shownWorkouts: W[] = [];
  for (const workout of bestFirst) {
    const isOfWinner =
      workout.device.deviceNo === winner.device.deviceNo && workout.firstHand === winner.firstHand;
    if (isOfWinner && !shownWorkouts.some((other) => areSame(workout, other))) shownWorkouts.push(workout);
  }
  const others = members.filter((workout) => !shownWorkouts.includes(workout));
  return assignMerged(shownWorkouts, others);
}

function compareWorkouts(a: WorkoutSession, b: WorkoutSession): number {
  return (
    Number(b.firstHand) - Number(a.firstHand) || compareDevices(ranked(a), ranked(b)) || compareKeys(a, b)
  );
}

function ranked({ device }: WorkoutSession): { device: DeviceFacts; rank: number } {
  return { device, rank: rankForSession('workout', device) };
}
