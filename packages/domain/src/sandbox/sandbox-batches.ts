import { onDeviceProviders, type BatchWire } from '@tributary/contract';
import { dayEndMs, dayOf, dayStartMs } from '../days.ts';
import { cloudDevice } from '../devices/cloud-device.ts';
import { shortHash } from './person/hashed-numbers.ts';
import type { Person } from './person/person.ts';
import { reportOfAndroidWatch } from './devices/android-watch.ts';
import { reportOfAppleWatch } from './devices/apple-watch.ts';
import { habitsOf } from './devices/habits.ts';
import { reportOfPhone } from './devices/phone.ts';
import type { Report, ReportedDay } from './devices/report.ts';
import { reportOfRing } from './devices/ring.ts';
import { reportOfScale } from './devices/scale.ts';
import { truthOf } from './day/truth.ts';
import type { Timezones } from '../timezones.ts';
import { platformOf, type Platform } from './person/platform.ts';

/** The requested part of a simulated user's data: everything that ended after `fromMs` and no later than `toMs`. */
export interface SandboxSpan extends Person {
  /** That of the archetype if it is omitted. */
  readonly platform?: Platform | undefined;
  readonly timezone: Timezones;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Device {
  readonly name: string;
  readonly provider: 'oura' | 'withings' | 'apple_health' | 'health_connect';
  readonly kind: BatchWire['device']['kind'];
  readonly model: string;
  readonly reportOf: (day: ReportedDay) => Report;
}

const ringAndScale: readonly Device[] = [
  { name: 'ring', provider: 'oura', kind: 'ring', model: 'Sandbox ring', reportOf: reportOfRing },
  { name: 'scale', provider: 'withings', kind: 'scale', model: 'Sandbox scale', reportOf: reportOfScale },
];

/** The watch and the phone share one health store. */
const onPlatform: Readonly<Record<Platform, readonly Device[]>> = {
  ios: [
    {
      name: 'watch',
      provider: 'apple_health',
      kind: 'watch',
      model: 'Sandbox watch',
      reportOf: reportOfAppleWatch,
    },
    {
      name: 'phone',
      provider: 'apple_health',
      kind: 'phone',
      model: 'Sandbox phone',
      reportOf: reportOfPhone,
    },
  ],
  android: [
    {
      name: 'watch',
      provider: 'health_connect',
      kind: 'watch',
      model: 'Sandbox watch',
      reportOf: reportOfAndroidWatch,
    },
    {
      name: 'phone',
      provider: 'health_connect',
      kind: 'phone',
      model: 'Sandbox phone',
      reportOf: reportOfPhone,
    },
  ],
};

/** An upload of a simulated user's device. Unlike real uploads, it may also represent data from a cloud provider. */
export type SandboxBatch = Report & {
  readonly device: Omit<BatchWire['device'], 'provider'> & {
    readonly provider: Device['provider'];
  };
};

/** With this number of days, even the device with the most data stays below the limits of one upload. */
const daysPerBatch = 14;

/**
 * The reports of a simulated user's devices between two instants. Pure and additive: two consecutive spans give the same data as one span
 * over both, split into different uploads.
 */
export function sandboxBatches(span: SandboxSpan): SandboxBatch[] {
  const days = daysOf(span);
  const devices = [...ringAndScale, ...onPlatform[span.platform ?? platformOf(span.archetype)]];
  const batches: SandboxBatch[] = [];
  for (let first = 0; first < days.length; first += daysPerBatch) {
    const together = days.slice(first, first + daysPerBatch);
    for (const { name, reportOf, ...device } of devices) {
      const report = joined(together.map((day) => reportOf(day)));
      // The device of a cloud provider is the one that a connection has, too.
      const isOnDevice = onDeviceProviders.some((provider) => provider === device.provider);
      const id = isOnDevice ? `${name}-${shortHash(`${span.seed}|${span.archetype}|${name}`)}` : cloudDevice;
      if (Object.values(report).some((list) => list.length > 0))
        batches.push({ device: { ...device, id }, ...report });
    }
  }
  return batches;
}

/** The days with something that ends within the span. Everything that ends on a day is part of that day only. */
function daysOf(span: SandboxSpan): ReportedDay[] {
  const { firstDay, timezone, fromMs, toMs } = span;
  const beginsMs = dayStartMs(firstDay, timezone);
  if (toMs <= Math.max(beginsMs, fromMs)) return [];
  const fromIndex = dayOf(Math.max(beginsMs, fromMs), timezone) - firstDay;
  const toIndex = dayOf(toMs, timezone) - firstDay;
  return truthOf(span, fromIndex, toIndex).map((truth) => ({
    truth,
    habits: habitsOf(truth),
    window: {
      startMs: dayStartMs(truth.plan.day, timezone),
      fromMs,
      toMs: Math.min(toMs, dayEndMs(truth.plan.day, timezone)),
      endMs: dayEndMs(truth.plan.day, timezone),
    },
  }));
}

function joined(reports: readonly Report[]): Report {
  return {
    series: reports.flatMap(({ series }) => series),
    records: reports.flatMap(({ records }) => records),
    daily: reports.flatMap(({ daily }) => daily),
    sleep: reports.flatMap(({ sleep }) => sleep),
    workouts: reports.flatMap(({ workouts }) => workouts),
  };
}
