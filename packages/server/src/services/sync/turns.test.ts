import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('allows any number of runs while no run is limited', () => {
  const turns = new Turns(() => 0);
  expect([turns.take('withings'), turns.take('withings'), turns.take('withings')]).not.toContain(null);
  expect(turns.taken()).toEqual([]);
});

test('allows one run at a time for a provider whose limits are exhausted, and does not restrict others', () => {
  const turns = new Turns(() => 0);
  const first = turns.take('withings')!;
  const second = turns.take('withings')!;
  turns.giveWay('withings');
  expect(turns.taken()).toEqual(['withings']);
  expect(turns.take('withings')).toBeNull();
  expect(turns.take('oura')).not.toBeNull();
  first[Symbol.dispose]();
  expect(turns.take('withings')).toBeNull();
  second[Symbol.dispose]();
  expect(turns.taken()).toEqual([]);
  expect(turns.take('withings')).not.toBeNull();
  expect(turns.take('withings')).toBeNull();
});

test('lifts the restriction after a minute without a limited run', () => {
  let now = 0;
  const turns = new Turns(() => now);
  turns.giveWay('withings');
  turns.take('withings');
  now = 59_999;
  expect(turns.take('withings')).toBeNull();
  now = 60_000;
  expect(turns.take('withings')).not.toBeNull();
});
