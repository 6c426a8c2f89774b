import type { Day } from '../../world/people/day.ts';
import type { Device } from './ids.ts';

/** The measurements at one time, by Withings measure type. */
export interface Measurement {
  kind: 'body' | 'blood-pressure' | 'oxygen' | 'skin' | 'fitness';
  at: number;
  device: Device;
  values: { type: number; value: number; decimals: number }[];
}

/** The measurements of a person's devices on a day. */
export function measurementsOf(day: Day): Measurement[] {
  return [...bodyOf(day), ...bloodPressureOf(day), ...nightOf(day), ...fitnessOf(day)].sort(
    (a, b) => a.at - b.at,
  );
}

function bodyOf(day: Day): Measurement[] {
  if (!day.body) return [];
  const { at, weightKg, fatPercent, muscleKg, boneKg, waterKg } = day.body;
  const fatKg = (weightKg * fatPercent) / 100;
  return [
    {
      kind: 'body',
      at,
      device: 'scale',
      values: [
        { type: 1, value: weightKg, decimals: 3 },
        { type: 5, value: weightKg - fatKg, decimals: 3 },
        { type: 6, value: fatPercent, decimals: 3 },
        { type: 8, value: fatKg, decimals: 2 },
        { type: 76, value: muscleKg, decimals: 2 },
        { type: 77, value: waterKg, decimals: 2 },
        { type: 88, value: boneKg, decimals: 2 },
      ],
    },
  ];
}

function bloodPressureOf(day: Day): Measurement[] {
  if (!day.bloodPressure) return [];
  const { at, systolic, diastolic, pulse } = day.bloodPressure;
  return [
    {
      kind: 'blood-pressure',
      at,
      device: 'cuff',
      values: [
        { type: 9, value: diastolic, decimals: 0 },
        { type: 10, value: systolic, decimals: 0 },
        { type: 11, value: pulse, decimals: 0 },
      ],
    },
  ];
}

function nightOf(day: Day): Measurement[] {
  return day.sleeps
    .filter((sleep) => sleep.isMain)
    .slice(0, 1)
    .flatMap((sleep) => [
      {
        kind: 'oxygen',
        at: sleep.end,
        device: 'watch',
        values: [{ type: 54, value: sleep.bloodOxygenPercent, decimals: 1 }],
      },
      {
        kind: 'skin',
        at: sleep.end,
        device: 'watch',
        values: [{ type: 73, value: sleep.skinTemperatureC, decimals: 2 }],
      },
    ]);
}

function fitnessOf(day: Day): Measurement[] {
  const last = day.workouts.at(-1);
  return last
    ? [
        {
          kind: 'fitness',
          at: last.end,
          device: 'watch',
          values: [{ type: 123, value: day.vo2Max, decimals: 1 }],
        },
      ]
    : [];
}
