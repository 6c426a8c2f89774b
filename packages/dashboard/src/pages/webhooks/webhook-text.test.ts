import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { conditionOf, deliveryCondition, sayAnswer, sayShare, successShare } from './webhook-text.ts';

const active = { status: 'active', disabled_reason: null } as WebhookWire;
const answering = (status: number | null) =>
  ({ last_answer: { status, at: '', error: null }, hours: [] }) as unknown as WebhookHealthWire;

test('what somebody chose goes before what the last answer says', () => {
  expect(conditionOf(active, null).word).toBe('Active');
  expect(conditionOf(active, answering(204)).word).toBe('Active');
  expect(conditionOf(active, answering(301)).word).toBe('Failing');
  expect(conditionOf(active, answering(null)).word).toBe('Failing');
  expect(conditionOf({ ...active, status: 'inactive' }, answering(500)).word).toBe('Paused');
  expect(conditionOf({ ...active, status: 'disabled', disabled_reason: 'gone' }, null).word).toBe('Gone');
});

test('success is never rounded up to all', () => {
  const hours = [
    { at: '', delivered: 1_999, failed: 0 },
    { at: '', delivered: 0, failed: 1 },
  ];
  expect(sayShare(successShare({ ...answering(200), hours })!)).toBe('99.9 %');
  expect(sayShare(1)).toBe('100 %');
  expect(successShare(answering(200))).toBeNull();
});

test('an answer in words', () => {
  expect(sayAnswer({ status: 502, error: null })).toBe('It answered 502.');
  expect(sayAnswer({ status: null, error: 'The host refused the connection.' })).toBe(
    'The host refused the connection.',
  );
});

test('what waits and what is held differ', () => {
  expect(deliveryCondition({ status: 'pending', held: false }).word).toBe('Waiting');
  expect(deliveryCondition({ status: 'pending', held: true }).word).toBe('Held');
});
