import type { EventWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { summarizeEvent } from './summarize-event.ts';

const event = { metrics: [], data: {} } as unknown as EventWire;
const year = new Date().getFullYear();

test('returns null if the type says everything', () => {
  expect(summarizeEvent(event)).toBeNull();
});

test('names metrics and days, and marks historical data', () => {
  expect(
    summarizeEvent({
      ...event,
      metrics: ['steps', 'distance', 'weight', 'asleep', 'awake'],
      data: { first_date: `${year}-03-01`, last_date: `${year}-03-02`, backfill: true },
    }),
  ).toBe('steps, distance, weight and 2 more · Mar 1 – Mar 2 · history');
});

test('formats a range of one day as that day', () => {
  expect(
    summarizeEvent({
      ...event,
      metrics: ['steps'],
      data: { first_date: `${year}-03-01`, last_date: `${year}-03-01` },
    }),
  ).toBe('steps · Mar 1');
});
