import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { conditionOf, deliveryCondition, sayAnswer, sayShare, successShare } from './webhook-text.ts';

const active = { status: 'active', disabled_reason: null } as WebhookWire;
const answering = (status: number | null) =>
  ({ last_answer: { status, at: '', error: null }, hours: [] }) as unknown as WebhookHealthWire;

test('a configured status takes precedence over the last response', () => {
  expect(conditionOf(active, null).word).toBe('Active');
  expect(conditionOf(active, answering(204)).word).toBe('Active');
  expect(conditionOf(active, answering(301)).word).toBe('Failing');
  expect(conditionOf(active, answering(null)).word).toBe('Failing');
  expect(conditionOf({ ...active, status: 'inactive' }, answering(500)).word).toBe('Paused');
  expect(conditionOf({ ...active, status: 'disabled', disabled_reason: 'gone' }, null).word).toBe('Gone');
});

test('never rounds the success rate up to 100%', () => {
  const hours = [
    { at: '', delivered: 1_999, failed: 0 },
    { at: '', delivered: 0, failed: 1 },
  ];
  expect(sayShare(successShare({ ...answering(200), hours })!)).toBe('99.9%');
  expect(sayShare(1)).toBe('100%');
  expect(successShare(answering(200))).toBeNull();
});

test('describes a response in words', () => {
  expect(sayAnswer({ status: 502, error: null })).toBe('It returned 502.');
  expect(sayAnswer({ status: null, error: 'The host refused the connection.' })).toBe(
    'The host refused the connection.',
  );
});

test('distinguishes pending and held deliveries', () => {
  expect(deliveryCondition({ status: 'pending', held: false }).word).toBe('Pending');
  expect(deliveryCondition({ status: 'pending', held: true }).word).toBe('Held');
});
