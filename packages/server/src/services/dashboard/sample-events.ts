import { hourMs } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { listEventsAt, type SampledEvent } from '../../store/dashboard/hours.ts';
import { findPlaceOfTime } from '../../store/events/feed-time.ts';
import type { Tenant } from '../../store/database/tenant.ts';

const hoursShown = 24;

/** Returns the start of each of the last 24 hours, oldest first. The last hour is still running. */
export function hoursUpTo(nowMs: number): number[] {
  const running = Math.floor(nowMs / hourMs) * hourMs;
  return Array.from({ length: hoursShown }, (_, at) => running - (hoursShown - 1 - at) * hourMs);
}

/** An even sample of a day's events. Each represents `step` events. */
export interface EventSample {
  events: SampledEvent[];
  step: number;
  /** Total number of events. */
  total: number;
}

/** Maximum sample size, which is enough for hourly bars. */
const mostEvents = 500;

/** Returns events of these hours, or a sample of them. Feed positions have no gaps, so taking every nth is a fair sample. */
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

/** Reduces the sample to at most `most` events. */
export function thinOut({ events, step, total }: EventSample, most: number): EventSample {
  const every = Math.max(1, Math.ceil(events.length / most));
  return { events: events.filter((_, at) => at % every === 0), step: step * every, total };
}
