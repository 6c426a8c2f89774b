import { Type } from 'typebox';
import { Component } from '../openapi/schema.ts';

/** The maximum number of days that a sandbox user can be moved forward, per request and in total. */
export const advanceLimits = { days: 31, daysAhead: 366 } as const;

export const AdvanceUser = Component(
  'AdvanceUser',
  Type.Object(
    {
      days: Type.Integer({
        minimum: 0,
        maximum: advanceLimits.days,
        description: 'Number of days to move forward. 0 generates data up to the current time.',
      }),
    },
    { description: 'How far to move the current day of a sandbox user forward.' },
  ),
);

/** Types of simulated users in the sandbox. */
export const archetypes = [
  'office_worker',
  'athlete',
  'shift_worker',
  'poor_sleeper',
  'sedentary',
  'older_adult',
  'illness',
] as const;
export type Archetype = (typeof archetypes)[number];
