import { expect, test } from 'vitest';
import { ProviderGate } from './provider-gate.ts';

test('allows any number of runs while no run is limited', () => {
  const gate = new ProviderGate(() => 0);
  expect([gate.take('withings'), gate.take('withings'), gate.take('withings')]).not.toContain(null);
  expect(gate.blockedProviders()).toEqual([]);
});

test('allows one run at a time for a provider whose limits are exhausted, and does not restrict others', () => {
  const gate = new ProviderGate(() => 0);
  const first = gate.take('withings')!;
  const second = gate.take('withings')!;
  gate.recordExhausted('withings');
  expect(gate.blockedProviders()).toEqual(['withings']);
  expect(gate.take('withings')).toBeNull();
  expect(gate.take('oura')).not.toBeNull();
  first[Symbol.dispose]();
  expect(gate.take('withings')).toBeNull();
  second[Symbol.dispose]();
  expect(gate.blockedProviders()).toEqual([]);
  expect(gate.take('withings')).not.toBeNull();
  expect(gate.take('withings')).toBeNull();
});

test('lifts the restriction after a minute without a limited run', () => {
  let now = 0;
  const gate = new ProviderGate(() => now);
  gate.recordExhausted('withings');
  gate.take('withings');
  now = 59_999;
  expect(gate.take('withings')).toBeNull();
  now = 60_000;
  expect(gate.take('withings')).not.toBeNull();
});
