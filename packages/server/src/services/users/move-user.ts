import { ApiError } from '@tributary/contract';
import { addDays, changeTimezone, dayOf, splitTimezones, type EffectiveFrom } from '@tributary/domain';
import type { Clock } from '../../clock.ts';
import type { UserSettings } from '../../store/users/locks.ts';
import type { UserChanges } from '../../store/users/users.ts';

/**
 * The time zones of a user after a change. By default it applies from now on. The first time zone of a user who had none applies to all days,
 * because days were split by UTC only for lack of a better one.
 */
export function moveUser(
  clock: Clock,
  { timezone, timezones, daysAhead }: UserSettings,
  to: { name: string | null; effectiveFrom: EffectiveFrom | null },
): { timezone: NonNullable<UserChanges['timezone']>; changesDays: boolean } {
  const name = to.name ?? 'UTC';
  const nowMs = addDays(clock.now(), name, daysAhead);
  const { effectiveFrom } = to;
  const today = Math.max(dayOf(nowMs, timezones), dayOf(nowMs, name));
  if (typeof effectiveFrom === 'number' && effectiveFrom > today) throw inFuture();
  const isFirst = timezone === null && splitTimezones(timezones).earlier === null;
  const after = changeTimezone(timezones, name, effectiveFrom ?? (isFirst ? 'all' : 'now'), nowMs);
  return {
    timezone: { current: to.name, earlier: splitTimezones(after).earlier },
    changesDays: after !== timezones,
  };
}

function inFuture(): ApiError {
  const problem = 'must not be later than today';
  return new ApiError('invalid_request', {
    message: `Body field \`timezone_effective_from\` ${problem}.`,
    details: { fields: [{ in: 'body', name: 'timezone_effective_from', problem }] },
  });
}
