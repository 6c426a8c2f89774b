import { ApiError } from '@tributary/contract';
import { dayMs } from '@tributary/domain';
import type { Clock } from '../../clock.ts';

/** Rejects a birth date before 1900 or in the future in every time zone. */
export function checkBirthDate(clock: Clock, date: string | null | undefined): void {
  if (date === null || date === undefined) return;
  // It is already tomorrow in some time zones. ISO dates sort as text.
  const latest = new Date(clock.now() + dayMs).toISOString().slice(0, 10);
  if (date >= '1900-01-01' && date <= latest) return;
  const problem = 'must be a date from 1900-01-01 to today';
  throw new ApiError('invalid_request', {
    message: `Body field \`profile.birth_date\` ${problem}.`,
    details: { fields: [{ in: 'body', name: 'profile.birth_date', problem }] },
  });
}
