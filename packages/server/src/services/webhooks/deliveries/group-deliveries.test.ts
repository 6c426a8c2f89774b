import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../store/webhooks/deliveries.ts';
import { groupDeliveries } from './group-deliveries.ts';

const start = 1_000_000;
const windowSeconds = 10;

/** `at` is when it was sequenced, in milliseconds after the start. */
function delivery(position: number, at: number, more: Partial<Delivery> = {}): Delivery {
  const type = more.type ?? 'data.updated';
  return {
    webhookId: 'wh',
    eventId: `e${position}`,
    position,
    userId: 'ada',
    type,
    backfill: false,
    createdAt: start + at,
    dueAt: start + at + (type === 'data.updated' ? windowSeconds * 1_000 : 0),
    tries: 0,
    sent: null,
    event: null,
    ...more,
  };
}

function grouped(deliveries: Delivery[], at: number, seconds = windowSeconds): string[] {
  return groupDeliveries(deliveries, seconds, start + at).map(({ delivery, merged }) =>
    [...merged, delivery].map(({ eventId }) => eventId).join('+'),
  );
}

describe('changes of one user', () => {
  const burst = [delivery(1, 0), delivery(2, 400), delivery(3, 9_999), delivery(4, 10_001)];

  test('wait for the end of the window and are then merged', () => {
    expect(grouped(burst, 9_999)).toEqual([]);
    expect(grouped(burst, 10_000)).toEqual(['e1+e2+e3']);
  });

  test('belong to the next window if they are later, even if both are overdue', () => {
    expect(grouped(burst, 60_000)).toEqual(['e1+e2+e3', 'e4']);
  });

  test('are grouped regardless of the order in which they were read', () => {
    expect(grouped(burst.toReversed(), 60_000)).toEqual(['e1+e2+e3', 'e4']);
  });

  test('keep backfills separate', () => {
    const history = { backfill: true };
    const mixed = [delivery(1, 0), delivery(2, 1, history), delivery(3, 2), delivery(4, 3, history)];
    expect(grouped(mixed, 10_003)).toEqual(['e1+e3', 'e2+e4']);
  });

  test('are sent separately without a window, even if simultaneous', () => {
    const atOnce = { dueAt: start };
    expect(grouped([delivery(1, 0, atOnce), delivery(2, 0, atOnce)], 0, 0)).toEqual(['e1', 'e2']);
  });

  test('are sent separately after a failed attempt, without delaying others', () => {
    const tried = delivery(1, 0, { tries: 1, dueAt: start + 5_000 });
    expect(grouped([tried, delivery(2, 100)], 5_000)).toEqual(['e1']);
    expect(grouped([delivery(2, 100), delivery(3, 200), tried], 10_100)).toEqual(['e1', 'e2+e3']);
  });
});

describe('order', () => {
  test('any other event of the user closes the window', () => {
    const deliveries = [
      delivery(1, 0),
      delivery(2, 10),
      delivery(3, 20, { type: 'score.updated' }),
      delivery(4, 30),
    ];
    expect(grouped(deliveries, 25)).toEqual(['e1+e2', 'e3']);
    expect(grouped(deliveries, 10_030)).toEqual(['e1+e2', 'e3', 'e4']);
  });

  test('other users have their own windows', () => {
    const deliveries = [
      delivery(1, 0),
      delivery(2, 10, { userId: 'bob', type: 'score.updated' }),
      delivery(3, 20, { userId: 'bob' }),
    ];
    expect(grouped(deliveries, 25)).toEqual(['e2']);
    expect(grouped(deliveries, 10_025)).toEqual(['e1', 'e2', 'e3']);
  });

  test('a test event has no position and comes last', () => {
    const trial = delivery(0, 0, { position: null, userId: null, dueAt: start });
    expect(grouped([trial, delivery(1, 0, { type: 'score.updated' })], 0)).toEqual(['e1', 'e0']);
  });
});
