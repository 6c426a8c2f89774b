import { expect, test } from 'vitest';
import type { Sleep } from '../../world/people/day.ts';
import { dayOf } from '../../world/people/live-day.ts';
import { personOf } from '../../world/people/people.ts';
import { addDays, dateOfId, documentId } from '../document-id.ts';
import { editBedtime, stagesByStretch, sumSleep } from '../sleep-sums.ts';
import { keepSleep } from './sleep.ts';

const ada = personOf('ada', 1)!;
const minute = 60_000;
const truth = dayOf(ada, '2026-05-04');
const nightSleep = truth.sleeps[0]!;

/** A nap in Berlin in summer that begins at a local time. */
function nap(time: string, minutes: number): Sleep {
  const start = Date.parse(`2026-05-04T${time}:00+02:00`);
  const middle = start + 10 * minute;
  const end = start + minutes * minute;
  const stages = [
    { stage: 'awake' as const, start, end: middle },
    { stage: 'light' as const, start: middle, end },
  ];
  return { ...nightSleep, key: `nap ${time}`, isMain: false, start, end, stages, heartRate: [], hrv: [] };
}

test('counts a nap that ends after 18:00 to the next day, but not a long sleep', () => {
  const documentStateOf = (sleep: Sleep) =>
    keepSleep({ person: ada, dayOf: (date) => ({ ...dayOf(ada, date), sleeps: [sleep] }) }, '2026-05-04')[0]!;
  expect(documentStateOf(nap('17:00', 60)).toDocument(0)).toMatchObject({ day: '2026-05-04', type: 'sleep' });
  expect(documentStateOf(nap('17:01', 60)).toDocument(0)).toMatchObject({
    day: '2026-05-05',
    type: 'late_nap',
  });
  expect(documentStateOf(nap('17:00', 181)).toDocument(0)).toMatchObject({
    day: '2026-05-04',
    type: 'long_sleep',
  });
  expect(documentStateOf(nap('17:01', 60)).toDocument(0)['heart_rate']).toBeNull();
});

test('returns stable ids, and decodes their date only for the owner', () => {
  const id = documentId('ada', 'sleep', '2026-05-04', 'night');
  expect(documentId('ada', 'sleep', '2026-05-04', 'night')).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(dateOfId('ada', 'sleep', id)).toBe('2026-05-04');
  expect(dateOfId('ben', 'sleep', id)).not.toBe('2026-05-04');
  expect(dateOfId('ada', 'workout', id)).not.toBe('2026-05-04');
  const others = [
    documentId('ada', 'sleep', '2026-05-04', 'nap'),
    documentId('ada', 'sleep', '2026-05-05', 'night'),
    documentId('ben', 'sleep', '2026-05-04', 'night'),
    documentId('ada', 'workout', '2026-05-04', 'night'),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
});

test('adds up stages, and picks the longest stage per interval', () => {
  const start = 0;
  const stages = [
    { stage: 'awake' as const, start, end: 6 * minute },
    { stage: 'deep' as const, start: 6 * minute, end: 10 * minute },
    { stage: 'rem' as const, start: 10 * minute, end: 12 * minute },
  ];
  const sleep: Sleep = { ...nap('12:00', 10), start, end: 12 * minute, stages };
  expect(sumSleep(sleep)).toEqual({
    awake: 6 * minute,
    light: 0,
    deep: 4 * minute,
    rem: 2 * minute,
    asleep: 6 * minute,
    inBed: 12 * minute,
    latency: 6 * minute,
  });
  expect(stagesByStretch(sleep, 5 * minute)).toEqual(['awake', 'deep', 'rem']);
});

test('halves the time awake before sleep with each edit', () => {
  const sleep = nap('12:00', 60);
  expect(editBedtime(sleep, 0)).toEqual(sleep);
  expect(editBedtime(sleep, 1).start - sleep.start).toBe(5 * minute);
  expect(editBedtime(sleep, 2).start - sleep.start).toBe(7 * minute);
  expect(editBedtime(sleep, 2).stages[0]).toMatchObject({
    start: sleep.start + 7 * minute,
    end: sleep.start + 10 * minute,
  });
  const night = editBedtime(nightSleep, 3);
  expect(night.heartRate.every(({ at }) => at >= night.start)).toBe(true);
});
