import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { WhoopRefusal } from './refusal.ts';
import type { SeenSleep } from './sleep.ts';
import { stampOf } from './wire.ts';

/** The samples of a sleep: the requested types, or all. Users whose membership lapsed get none. */
export function sleepStream(
  frame: Frame,
  life: Life,
  { sleep }: SeenSleep,
  types: string | undefined,
): object {
  if (isDeactivated(frame, life))
    throw new WhoopRefusal(403, 'deactivated_user', 'The membership has ended.');
  const wanted = types?.split(',');
  return {
    stream: sleep.heartRate.map(({ at, value }) => {
      const stage = sleep.stages.find((span) => span.start <= at && at < span.end)?.stage ?? 'awake';
      const row = { hr: value, skin_temp: sleep.skinTemperatureC, is_sleeping: stage !== 'awake' };
      const wantedFields = Object.entries(row).filter(([name]) => !wanted || wanted.includes(name));
      return { timestamp: stampOf(at), ...Object.fromEntries(wantedFields) };
    }),
  };
}

/** One in ten users lets their membership lapse. */
function isDeactivated(frame: Pick<Frame, 'chance'>, { person }: Life): boolean {
  return frame.chance('membership', person.id) < 0.1;
}
