import type { Lab } from '@tributary/lab';
import { addDays, personOf, sleepOf } from '@tributary/lab/testing';
import type { Difference } from './canonical-values.ts';

/** Metrics that Withings measures continuously during sleep. */
const measured = /^(\d{4}-\d\d-\d\d) (respiratory_rate|heart_rate|heart_rate_variability)/;

/** Whether a value differs because a sleep was shortened. Readings from the removed part have no id by which they could be deleted, so they stay. */
export function isLeftOver(lab: Lab, { person, what, expected, actual }: Difference): boolean {
  const date = measured.exec(what)?.[1];
  const isOfWithings = [expected, actual].every((text) => text.includes('"provider":"withings"'));
  if (date === undefined || !isOfWithings) return false;
  return [0, 1].some((days) => {
    const day = lab.truth(person, addDays(date, days));
    return day.sleeps.some((sleep) => {
      const { document, endedAt } = sleepOf(personOf(person, lab.seed)!, day, sleep);
      return lab.finalOf('withings', document, endedAt).revision > 0;
    });
  });
}
