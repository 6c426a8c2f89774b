import { Type } from 'typebox';
import { Component } from './schema.ts';

/** The most days that a user of the sandbox can be moved forward, at once and in all. */
export const advanceLimits = { days: 31, daysAhead: 366 } as const;

export const AdvanceUser = Component(
  'AdvanceUser',
  Type.Object(
    {
      days: Type.Integer({
        minimum: 0,
        maximum: advanceLimits.days,
        description: 'How many days pass; 0 brings the data up to this moment',
      }),
    },
    { description: 'How far the day of a sandbox user moves forward' },
  ),
);

/** The kinds of people whose data a sandbox makes up. */
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
