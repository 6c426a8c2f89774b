import { offsetAt, offsetSecondsAt } from '../local-time.ts';
import type { Session } from './wearer.ts';

export interface Times {
  systemTime: string;
  displayTime: string;
}

/** Formats times as the device of a session does in a zone. Phones include the offset, receivers do not. */
export function timesAround(
  ms: number,
  timezone: string,
  { displayDevice }: Session,
): (at: number, lacksSeconds: boolean) => Times {
  const [offset, offsetMs] = [offsetAt(ms, timezone), offsetSecondsAt(ms, timezone) * 1000];
  const isPhone = displayDevice !== 'receiver';
  return (at, lacksSeconds) => {
    const clock = (moment: number): string => new Date(moment).toISOString().slice(0, lacksSeconds ? 16 : 19);
    return {
      systemTime: `${clock(at)}${isPhone ? 'Z' : ''}`,
      displayTime: `${clock(at + offsetMs)}${isPhone ? offset : ''}`,
    };
  };
}
