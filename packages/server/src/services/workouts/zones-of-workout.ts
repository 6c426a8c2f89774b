import { maxHeartRateOn, zonesOf, type HeartRateFacts, type HeartRateZone } from '@tributary/domain';
import type { ZonedWorkoutRow } from '../../store/session-reads.ts';

/** By the highest heart rate that is known on the day of the workout; null without a trace. */
export function zonesOfWorkout(
  { day, content: { trace, histogram } }: ZonedWorkoutRow,
  facts: HeartRateFacts,
): HeartRateZone[] | null {
  return trace ? zonesOf({ ...trace, histogram }, maxHeartRateOn(day, facts)) : null;
}
