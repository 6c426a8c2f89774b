import type { BatchWire } from '@tributary/contract';
import { dayEndMs, dayOf, dayStartMs } from '../days.ts';
import { shortHash } from './hashed-numbers.ts';
import type { Person } from './person.ts';
import { reportOfPhone } from './phone.ts';
import type { Report, ReportedDay } from './report.ts';
import { reportOfRing } from './ring.ts';
import { reportOfScale } from './scale.ts';
import { truthOf } from './truth.ts';
import { reportOfWatch } from './watch.ts';

/** What of a made-up life is asked for: what ended after `fromMs`, and not later than `toMs`. */
export interface SandboxSpan extends Person {
  readonly timezone: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const devices = [
  { name: 'ring', provider: 'oura', kind: 'ring', model: 'Sandbox ring', reportOf: reportOfRing },
  { name: 'watch', provider: 'garmin', kind: 'watch', model: 'Sandbox watch', reportOf: reportOfWatch },
  { name: 'scale', provider: 'withings', kind: 'scale', model: 'Sandbox scale', reportOf: reportOfScale },
  { name: 'phone', provider: 'apple_health', kind: 'phone', model: 'Sandbox phone', reportOf: reportOfPhone },
] as const;

/** An upload of one device of a made-up person; unlike those of real phones it may also come from a provider's cloud. */
export type SandboxBatch = Report & {
  readonly device: Omit<BatchWire['device'], 'provider'> & {
    readonly provider: (typeof devices)[number]['provider'];
  };
};

/** The most talkative device stays below the bounds of one upload for so many days. */
const daysPerBatch = 14;

/**
 * What the devices of a made-up person report between two instants. Pure, and additive: two spans in a row give what one
 * span over both gives, cut into other uploads.
 */
export function sandboxBatches(span: SandboxSpan): SandboxBatch[] {
  const days = daysOf(span);
  const batches: SandboxBatch[] = [];
  for (let first = 0; first < days.length; first += daysPerBatch) {
    const together = days.slice(first, first + daysPerBatch);
    for (const { name, reportOf, ...device } of devices) {
      const report = joined(together.map((day) => reportOf(day)));
      const id = `${name}-${shortHash(`${span.seed}|${span.archetype}|${name}`)}`;
      if (Object.values(report).some((list) => list.length > 0))
        batches.push({ device: { ...device, id }, ...report });
    }
  }
  return batches;
}

/** The days of which something ends within the span; nothing that ends on a day ends on another one. */
function daysOf(span: SandboxSpan): ReportedDay[] {
  const { firstDay, timezone, fromMs, toMs } = span;
  const beginsMs = dayStartMs(firstDay, timezone);
  if (toMs <= Math.max(beginsMs, fromMs)) return [];
  const fromIndex = dayOf(Math.max(beginsMs, fromMs), timezone) - firstDay;
  const toIndex = dayOf(toMs, timezone) - firstDay;
  return truthOf(span, fromIndex, toIndex).map((truth) => ({
    truth,
    window: {
      startMs: dayStartMs(truth.plan.day, timezone),
      fromMs,
      toMs: Math.min(toMs, dayEndMs(truth.plan.day, timezone)),
    },
  }));
}

function joined(reports: readonly Report[]): Report {
  return {
    series: reports.flatMap(({ series }) => series),
    records: reports.flatMap(({ records }) => records),
    sleep: reports.flatMap(({ sleep }) => sleep),
    workouts: reports.flatMap(({ workouts }) => workouts),
  };
}
