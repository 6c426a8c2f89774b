import { ApiError } from '@tributary/contract';
import type { Clock } from '../../clock.ts';

const dayMs = 86_400_000;

/** Refuses a birth date before 1900 or in the future, wherever on Earth the person lives. */
export function checkBirthDate(clock: Clock, date: string | null | undefined): void {
  if (date === null || date === undefined) return;
  // Somewhere it is already tomorrow; calendar dates of this shape sort as text.
  const latest = new Date(clock.now() + dayMs).toISOString().slice(0, 10);
  if (date >= '1900-01-01' && date <= latest) return;
  const problem = 'must be a date from 1900 on, and not in the future';
  throw new ApiError('invalid_request', {
    message: `body field profile.birth_date ${problem}.`,
    details: { fields: [{ in: 'body', name: 'profile.birth_date', problem }] },
  });
}
