import type { EventWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { mergeEvents } from './merge-events.ts';

const exampleEvent: EventWire = {
  event_id: 'evt_0',
  event_type: 'data.updated',
  metrics: ['steps'],
  user_id: 'user_a',
  device_id: 'dev_a',
  timestamp: '2026-03-02T07:14:31.120Z',
  data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: false },
};

function change(id: string, metrics: string[], data: EventWire['data'], device = 'dev_a'): EventWire {
  return { ...exampleEvent, event_id: id, metrics, device_id: device, data };
}

test('returns a single event unchanged', () => {
  expect(mergeEvents([exampleEvent])).toBe(exampleEvent);
});

test('combines the content of several events under the ID and time of the last', () => {
  const first = change('evt_1', ['steps', 'distance'], {
    change: 'updated',
    first_date: '2026-03-02',
    last_date: '2026-03-03',
    backfill: false,
  });
  const last = {
    ...change('evt_2', ['heart_rate', 'steps'], {
      change: 'updated',
      first_date: '2026-03-01',
      last_date: '2026-03-02',
      backfill: false,
    }),
    timestamp: '2026-03-03T00:00:00.000Z',
  };
  expect(mergeEvents([first, last])).toEqual({
    ...last,
    metrics: ['steps', 'distance', 'heart_rate'],
    data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-03', backfill: false },
  });
});

test('keeps the device if it is the same in all, and reports deletions only if all are deletions', () => {
  const deletion = change('evt_1', [], { change: 'deleted' });
  expect(mergeEvents([deletion, deletion])).toMatchObject({
    device_id: 'dev_a',
    data: { change: 'deleted' },
  });
  const other = change('evt_2', [], { change: 'updated' }, 'dev_b');
  expect(mergeEvents([other, deletion])).toMatchObject({ device_id: null, data: { change: 'updated' } });
});
