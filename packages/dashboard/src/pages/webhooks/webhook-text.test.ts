import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import {
  conditionOf,
  deliveryCondition,
  describeResponse,
  formatShare,
  successShare,
} from './webhook-text.ts';

const active = { status: 'active', disabled_reason: null } as WebhookWire;
const withLastResponse = (status: number | null) =>
  ({ last_response: { status, at: '', error: null }, hours: [] }) as unknown as WebhookHealthWire;

test('a configured status takes precedence over the last response', () => {
  expect(conditionOf(active, null).word).toBe('Active');
  expect(conditionOf(active, withLastResponse(204)).word).toBe('Active');
  expect(conditionOf(active, withLastResponse(301)).word).toBe('Failing');
  expect(conditionOf(active, withLastResponse(null)).word).toBe('Failing');
  expect(conditionOf({ ...active, status: 'inactive' }, withLastResponse(500)).word).toBe('Paused');
  expect(conditionOf({ ...active, status: 'disabled', disabled_reason: 'gone' }, null).word).toBe('Gone');
});

test('never rounds the success rate up to 100%', () => {
  const hours = [
    { at: '', delivered: 1_999, failed: 0 },
    { at: '', delivered: 0, failed: 1 },
  ];
  expect(formatShare(successShare({ ...withLastResponse(200), hours })!)).toBe('99.9%');
  expect(formatShare(1)).toBe('100%');
  expect(successShare(withLastResponse(200))).toBeNull();
});

test('describes a response in words', () => {
  expect(describeResponse({ status: 502, error: null })).toBe('It returned 502.');
  expect(describeResponse({ status: null, error: 'The host refused the connection.' })).toBe(
    'The host refused the connection.',
  );
});

test('distinguishes pending and held deliveries', () => {
  expect(deliveryCondition({ status: 'pending', held: false }).word).toBe('Pending');
  expect(deliveryCondition({ status: 'pending', held: true }).word).toBe('Held');
});
