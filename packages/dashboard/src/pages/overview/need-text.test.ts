import type { NeedWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { needText } from './need-text.ts';

const need = (kind: NeedWire['kind'], fields: Partial<NeedWire> = {}): NeedWire => ({
  kind,
  subject: null,
  since: null,
  count: null,
  detail: {},
  ...fields,
});

test('a failing endpoint shows its backlog and last response', () => {
  const text = needText(
    need('webhook_failing', {
      subject: { id: 'wh_1', name: 'https://hooks.example/health' },
      count: { value: 10_000, more: true },
      detail: { status: 502 },
    }),
    'live',
  );
  expect(text.title).toBe('https://hooks.example/health is failing.');
  expect(text.text).toBe('10,000+ deliveries are waiting. The last response was 502.');
  expect(text.remedy).toEqual({ label: 'Inspect', path: 'webhooks/wh_1' });
});

test('an expiring key shows when, and becomes more severe in its last days', () => {
  const key = { subject: { id: 'key_1', name: 'sk_live_…k9x2' } };
  const ending = (days_left: number) =>
    needText(need('key_ending', { ...key, detail: { days_left, last_used_at: null } }), 'live');
  expect(ending(9)).toMatchObject({ title: 'The live key sk_live_…k9x2 expires in 9 days.', isBad: false });
  expect(ending(1)).toMatchObject({ title: 'The live key sk_live_…k9x2 expires in 1 day.', isBad: true });
});

test('a problem that no page can fix has no button', () => {
  expect(needText(need('dead_letters', { count: { value: 1, more: false } }), 'live')).toMatchObject({
    title: '1 batch could not be processed.',
    remedy: null,
  });
});
