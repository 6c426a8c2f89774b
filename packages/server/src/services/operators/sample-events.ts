import type { Context } from '../../context.ts';
import { listEventsAt, type SampledEvent } from '../../store/dashboard-hours.ts';
import { findPlaceOfTime } from '../../store/feed-time.ts';
import type { Tenant } from '../../store/tenant.ts';

const hourMs = 3_600_000;
const hoursShown = 24;

/** When each of the last 24 hours began, oldest first; the last one is still running. */
export function hoursUpTo(nowMs: number): number[] {
  const running = Math.floor(nowMs / hourMs) * hourMs;
  return Array.from({ length: hoursShown }, (_, at) => running - (hoursShown - 1 - at) * hourMs);
}

/** Some of a day's events, evenly chosen; each stands for `step` of them. */
export interface EventSample {
  events: SampledEvent[];
  step: number;
  /** How many there are in all. */
  total: number;
}

/** Events that are looked at, at most: for bars of an hour that is plenty. */
const mostEvents = 500;

/** Events of these hours, all of them or some: places of the feed have no gaps, so that every so manieth is a fair choice. */
export async function sampleEvents(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  hours: readonly number[],
): Promise<EventSample> {
  const [fromMs, toMs] = [hours[0]!, hours.at(-1)! + hourMs];
  const { place, head } = await findPlaceOfTime(ctx.db, tenant, fromMs);
  const total = Math.max(0, head - place);
  const step = Math.max(1, Math.ceil(total / mostEvents));
  const places = Array.from({ length: Math.floor(total / step) }, (_, at) => head - at * step);
  const events = places.length > 0 ? await listEventsAt(ctx.db, tenant, places, { fromMs, toMs }) : [];
  return { events, step, total };
}

/** The same with no more than so many. */
export function thinOut({ events, step, total }: EventSample, most: number): EventSample {
  const every = Math.max(1, Math.ceil(events.length / most));
  return { events: events.filter((_, at) => at % every === 0), step: step * every, total };
}
