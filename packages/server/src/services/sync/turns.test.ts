import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('as many at once as there are, while nobody has to give way', () => {
  const turns = new Turns(() => 0);
  expect([turns.take('withings'), turns.take('withings'), turns.take('withings')]).not.toContain(null);
  expect(turns.taken()).toEqual([]);
});

test('one at a time of a provider whose limits are used up; of others as ever', () => {
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

test('a minute in which nobody gives way is enough', () => {
  let now = 0;
  const turns = new Turns(() => now);
  turns.giveWay('withings');
  turns.take('withings');
  now = 59_999;
  expect(turns.take('withings')).toBeNull();
  now = 60_000;
  expect(turns.take('withings')).not.toBeNull();
});
