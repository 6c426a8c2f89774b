import { maxHeartRateOn, zonesOf, type HeartRateFacts, type HeartRateZone } from '@tributary/domain';
import type { ZonedWorkoutRow } from '../../store/reads/sessions.ts';

/** The heart rate zones, based on the maximum heart rate known on the day of the workout. Null without a trace. */
export function zonesOfWorkout(
  { day, content: { trace, histogram } }: ZonedWorkoutRow,
  facts: HeartRateFacts,
): HeartRateZone[] | null {
  return trace ? zonesOf({ ...trace, histogram }, maxHeartRateOn(day, facts)) : null;
}
