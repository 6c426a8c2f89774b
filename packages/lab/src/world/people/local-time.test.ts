import { expect, test } from 'vitest';
import { dayOf } from './live-day.ts';
import { addDays, boundsOf, dateAt, datesBetween, zoneOn } from './local-time.ts';
import { namedPeople, personOf } from './people.ts';

const HOUR = 3_600_000;
const ada = personOf('ada', 1)!;
const dara = personOf('dara', 1)!;

test('generates days of 23 and 25 hours when clocks change, with that many hours of steps', () => {
  expect(dayOf(ada, '2026-03-29').hourlySteps.length).toBe(23);
  expect(dayOf(ada, '2026-10-25').hourlySteps.length).toBe(25);
  expect(dayOf(ada, '2026-10-25').heartRate.length).toBe(25 * 12);
  expect(dayOf(personOf('eve', 1)!, '2026-04-05').hourlySteps.length).toBe(25);
  expect(dayOf(personOf('hana', 1)!, '2026-09-06').hourlySteps.length).toBe(23);
  expect(dayOf(personOf('gita', 1)!, '2026-03-29').hourlySteps.length).toBe(24);
});

test('keeps the real length of a night across a clock change', () => {
  const [night] = dayOf(ada, '2026-03-29').sleeps;
  const clock = (moment: number) =>
    new Date(moment).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  const shown = (minutes(clock(night!.end)) - minutes(clock(night!.start)) + 1440) % 1440;
  expect((night!.end - night!.start) / 60_000).toBe(shown - 60);
});

test('generates days that follow one another without gaps, also during trips', () => {
  for (const person of [...namedPeople(1), personOf('person-7', 1)!]) {
    let date = '2026-01-01';
    for (let n = 0; n < 400; n += 1) {
      const next = addDays(date, 1);
      const { start, end } = boundsOf(person, date);
      expect(boundsOf(person, next).start, `${person.id} ${date}`).toBe(end);
      expect(end - start, `${person.id} ${date}`).toBeGreaterThan(8 * HOUR);
      date = next;
    }
  }
});

test('uses the local time of the place during a trip', () => {
  const trip = dara.trips.find(({ timezone, from }) => timezone === 'Asia/Tokyo' && from > '2026')!;
  const before = addDays(trip.from, -1);
  expect([zoneOn(dara, before), zoneOn(dara, trip.from), zoneOn(dara, trip.to)]).toEqual([
    'Europe/London',
    'Asia/Tokyo',
    'Asia/Tokyo',
  ]);
  const { start, end } = boundsOf(dara, before);
  expect((end - start) / HOUR).toBeLessThan(17);
  const day = dayOf(dara, trip.from);
  const woke = new Date(day.sleeps[0]!.end).toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' });
  expect(woke >= '05:00:00' && woke <= '09:30:00', woke).toBe(true);
  expect(day.timezone).toBe('Asia/Tokyo');
});

test('keeps nights apart and long enough during trips', () => {
  let date = '2026-01-01';
  let last = 0;
  for (let n = 0; n < 730; n += 1) {
    const [night] = dayOf(dara, date).sleeps;
    expect(night!.start, date).toBeGreaterThanOrEqual(last);
    expect(night!.end - night!.start, date).toBeGreaterThanOrEqual(2 * HOUR);
    last = night!.end;
    date = addDays(date, 1);
  }
});

test('returns the local dates of a person between two times', () => {
  const from = Date.parse('2026-03-01T23:30:00Z');
  expect(datesBetween(ada, from, Date.parse('2026-03-03T22:59:59Z'))).toEqual(['2026-03-02', '2026-03-03']);
  expect(datesBetween(ada, from, Date.parse('2026-03-03T23:00:00Z')).at(-1)).toBe('2026-03-04');
  expect(datesBetween(personOf('eve', 1)!, from, from)).toEqual(['2026-03-02']);
  expect(datesBetween(personOf('ben', 1)!, from, from)).toEqual(['2026-03-01']);
  expect(datesBetween(ada, from, from - 1)).toEqual([]);
  const { start, end } = boundsOf(ada, '2026-10-25');
  expect([dateAt(ada, start), dateAt(ada, end - 1), dateAt(ada, end)]).toEqual([
    '2026-10-25',
    '2026-10-25',
    '2026-10-26',
  ]);
});

test('generates any number of people, each determined by its name', () => {
  expect(new Set(namedPeople(1).map(({ timezone }) => timezone)).size).toBeGreaterThanOrEqual(6);
  expect(personOf('person-12345', 1)!.seed).not.toBe(personOf('person-12346', 1)!.seed);
  for (const id of ['unknown', 'person-', 'person-01', 'person--1', 'person-1e3', '__proto__'])
    expect(personOf(id, 1), id).toBeUndefined();
});
