import type { BatchWire } from '@tributary/contract';
import { metrics, sportTypes } from '@tributary/domain';
import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';
import type { Tenant } from './tenant.ts';

/** Few ids, so that uploads overlap. */
const deviceIds = ['watch-1', 'phone-1', 'ring-1'];
const sourceIds = ['a', 'b', 'c'];
const hourMs = 3_600_000;

/**
 * Changes an upload that the schema allows so that it mostly makes sense: existing metrics, plausible values, and spans that end after they
 * start.
 */
export function makeSensibleUpload(request: FuzzRequest, random: Random, tenant: Tenant): void {
  const body = request.body as BatchWire;
  if (random.chance(0.05)) body.batch_id = random.pick(tenant.batches).id;
  if (random.chance(0.8)) body.device.id = random.pick(deviceIds);
  for (const series of body.series ?? []) {
    const values = series.values.map(() => 0);
    if (random.chance(0.8)) series.values = measure(series, random, values);
    if (series.offsets_seconds && random.chance(0.8))
      series.offsets_seconds = series.values.map((_, at) => at * random.int(1, 900));
  }
  for (const record of [...(body.records ?? []), ...(body.daily ?? [])])
    if (random.chance(0.8)) [record.value = 0] = measure(record, random, [0]);
  const { records = [], sleep = [], workouts = [], deletions = [] } = body;
  for (const item of [...records, ...sleep, ...workouts, ...deletions])
    if (random.chance(0.5)) item.id = random.pick(sourceIds);
  for (const item of [...sleep, ...workouts]) if (random.chance(0.8)) endInTime(item, random);
  for (const workout of workouts) if (random.chance(0.8)) workout.sport_type = random.pick(sportTypes);
  const packing = random.pick([undefined, undefined, 'gzip', 'zstd'] as const);
  if (!packing) return;
  request.packing = packing;
  request.headers['content-encoding'] = packing;
}

/** Gives a reading a metric of the catalog, and the requested number of plausible values. */
function measure(
  reading: { metric: string; unit?: string },
  random: Random,
  values: readonly number[],
): number[] {
  const metric = random.pick(metrics);
  reading.metric = metric.id;
  if (random.chance(0.7)) delete reading.unit;
  else reading.unit = random.pick([metric.unit, metric.imperial.unit]);
  return values.map(() => metric.min + random.next() * (metric.max - metric.min));
}

/** Makes a session, and everything inside it, end after it starts. */
function endInTime(
  session: { start: string; end: string; stages?: { start: string; end: string }[] },
  random: Random,
): void {
  const startMs = Date.parse(session.start);
  const lengthMs = random.int(1, 20) * hourMs;
  const at = (part: number) => new Date(startMs + part * lengthMs).toISOString();
  session.end = at(1);
  const { stages = [] } = session;
  stages.forEach((stage, place) => {
    stage.start = at(place / stages.length);
    stage.end = at((place + 1) / stages.length);
  });
}
