import { emptyDeviceDay, findMetric, parseDay, type ConsolidationSettings } from '@tributary/domain';
import { expect, test } from 'vitest';
import type { NamedDevice } from '../../store/reads/daily.ts';
import { reasonsFor } from './missing-reasons.ts';

const steps = findMetric('steps')!;
const spirometry = findMetric('forced_vital_capacity') ?? findMetric('forced_expiratory_volume_1')!;
const day = parseDay('2026-03-01')!;
const synced = Date.parse('2026-03-01T08:00:00Z');
const watch: NamedDevice = {
  deviceNo: 1,
  id: 'w',
  provider: 'apple_health',
  status: 'active',
  removed: false,
  lastSyncMs: synced,
};

function reason(
  metric = steps,
  known: {
    devices?: NamedDevice[];
    settings?: ConsolidationSettings;
    hasData?: boolean;
    on?: number;
    timezones?: string;
    inputs?: string[];
  } = {},
) {
  const {
    devices = [watch],
    settings = {},
    hasData = false,
    on = day,
    timezones = 'UTC',
    inputs = [],
  } = known;
  const content = emptyDeviceDay();
  content.fromSessions.set(metric.no, metric.min * 1e6);
  return reasonsFor(metric, {
    devices,
    settings,
    deviceDays: hasData ? new Map([[day, new Map([[1, content]])]]) : new Map(),
    timezones,
    isKnown: (metricNo) => inputs.some((id) => findMetric(id)!.no === metricNo),
  })(on);
}

test('returns no_device without a connected device', () => {
  expect(reason(steps, { devices: [] })).toBe('no_device');
  expect(reason(steps, { devices: [{ ...watch, status: 'pending' }] })).toBe('no_device');
  expect(reason(steps, { devices: [{ ...watch, removed: true }] })).toBe('no_device');
});

test('returns excluded if the settings exclude the devices', () => {
  expect(reason(steps, { hasData: true, settings: { providers: { apple_health: false } } })).toBe('excluded');
  expect(reason(steps, { settings: { metrics: { steps: { providers: { apple_health: false } } } } })).toBe(
    'excluded',
  );
});

test('returns unsupported if no device supports the metric, unless one reported it on another day', () => {
  const device = { ...watch, provider: 'health_connect' };
  expect(spirometry.healthConnect).toBeNull();
  expect(reason(spirometry, { devices: [device] })).toBe('unsupported');
  expect(reason(spirometry, { devices: [device], hasData: true, on: day - 1 })).toBe('not_reported');
});

test('returns not_synced_yet if no device has synced since the day started in the time zone of the user', () => {
  expect(reason(steps)).toBe('not_reported');
  expect(reason(steps, { on: day + 1 })).toBe('not_synced_yet');
  expect(reason(steps, { devices: [{ ...watch, lastSyncMs: null }] })).toBe('not_synced_yet');
  // 08:00 UTC is midnight in Los Angeles, where the day has just started.
  const there = { timezones: 'America/Los_Angeles' };
  expect(reason(steps, there)).toBe('not_reported');
  expect(reason(steps, { ...there, devices: [{ ...watch, lastSyncMs: synced - 1 }] })).toBe('not_synced_yet');
});

test('returns implausible if a derived metric has all inputs and no value', () => {
  const metric = findMetric('pulse_pressure')!;
  const inputs = ['blood_pressure_systolic', 'blood_pressure_diastolic'];
  expect(reason(metric, { inputs })).toBe('implausible');
  expect(reason(metric, { inputs: inputs.slice(1) })).toBe('not_reported');
});
