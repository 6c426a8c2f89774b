import { archetypes } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { formatDay, parseDay } from '../../days.ts';
import { ageOn } from '../../people/age.ts';
import { pickArchetype, profileOf, seedOf } from './person.ts';

test('derives the seed from the hash of the reference ID', () => {
  expect(seedOf('user-1')).toBe('c6c289e4');
  expect(seedOf('Zoë')).toBe('c6a12698');
});

describe('archetype of a seed', () => {
  test.each([
    ['c6c289e4', 'older_adult'],
    ['c6a12698', 'athlete'],
    ['00000000', 'office_worker'],
    ['b1a2c3d4', 'poor_sleeper'],
  ])('is derived from the seed: %s is %s', (seed, archetype) => {
    expect(pickArchetype(seed)).toBe(archetype);
  });

  test('has at least one workout per week', () => {
    const picked = new Set(Array.from({ length: 200 }, (_, at) => pickArchetype(seedOf(`user-${at}`))));
    expect([...picked].sort()).toEqual(archetypes.filter((one) => one !== 'sedentary').sort());
  });
});

describe('profile', () => {
  test('has the values of the archetype', () => {
    expect(profileOf('athlete', parseDay('2025-06-15')!)).toEqual({
      birth_date: '1998-03-07',
      sex: 'male',
      height_cm: 181,
      weight_kg: 74,
    });
  });

  test.each([
    ['office_worker', 34],
    ['athlete', 27],
    ['shift_worker', 41],
    ['poor_sleeper', 48],
    ['sedentary', 52],
    ['older_adult', 71],
    ['illness', 34],
  ] as const)(
    'gives %s the age of %i on the day and for months after it, even around leap days',
    (archetype, age) => {
      for (const day of ['2024-06-08', '2025-06-15', '2026-02-28'].map((text) => parseDay(text)!)) {
        const birthDay = parseDay(profileOf(archetype, day).birth_date!)!;
        expect(formatDay(birthDay)).toBe(profileOf(archetype, day).birth_date);
        expect([ageOn(birthDay, day), ageOn(birthDay, day + 250)]).toEqual([age, age]);
      }
    },
  );
});
