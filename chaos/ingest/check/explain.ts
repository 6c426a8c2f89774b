import type { CountedBatch } from '../model/normalized.ts';
import type { Person } from '../people.ts';
import type { Difference } from './differences.ts';

const mostBatches = 6;

/** Describes a difference, with the batches that affect its item. The last one listed takes precedence. */
export function explain(
  difference: Difference,
  people: readonly Person[],
  counted: ReadonlyMap<number, readonly CountedBatch[]>,
): string {
  const { wrong, what, userAt, device, metric, at, expected, actual } = difference;
  const { userId = 'unknown', persona } = people[userAt] ?? {};
  const about = batchesAbout(difference, counted.get(userAt) ?? []).sort(
    (a, b) => a.createdMs - b.createdMs || (a.upload.batchId < b.upload.batchId ? -1 : 1),
  );
  const batches = about
    .slice(-mostBatches)
    .map(({ upload, createdMs }) => `${upload.batchId} (${new Date(createdMs).toISOString()})`);
  const more = about.length > mostBatches ? `… ${about.length - mostBatches} more, ` : '';
  return [
    `${what} ${wrong}: user ${userAt} ${userId} in ${persona?.timezone ?? 'an unknown time zone'}, ${[device, metric, at].filter(Boolean).join(', ')}`,
    `    expected ${expected}`,
    `    found    ${actual}`,
    `    batches  ${more}${batches.join(', ') || 'none'}`,
  ].join('\n');
}

/** Lists the batches that affect the sample, day or session. */
function batchesAbout(difference: Difference, batches: readonly CountedBatch[]): CountedBatch[] {
  const { what, device, metric = '', at } = difference;
  const own = batches.filter(({ upload }) => device === undefined || upload.device === device);
  switch (what) {
    case 'batch':
    case 'receipt':
      return own.filter(({ upload }) => upload.batchId === at);
    case 'event':
      return own;
    case 'session':
      return own.filter(({ upload: { body } }) =>
        [...(body.sleep ?? []), ...(body.workouts ?? []), ...(body.deletions ?? [])].some(
          ({ id }) => id === at,
        ),
      );
    case 'day':
      return own.filter(({ upload: { body } }) => {
        const measurements = [...(body.series ?? []), ...(body.records ?? [])];
        const measured = measurements.filter((one) => metric.startsWith(one.metric));
        const sessions = measurements.length === 0 ? [...(body.sleep ?? []), ...(body.workouts ?? [])] : [];
        return (
          [...measured, ...sessions].some(({ start }) => isNear(start, at)) ||
          (body.daily ?? []).some((total) => total.metric === metric && total.date === at)
        );
      });
    case 'sample':
      return aboutSample(own, metric, Date.parse(at));
  }
}

/** Includes the neighboring days, because the start of a day depends on the time zone. */
function isNear(start: string, date: string): boolean {
  return Math.abs(Date.parse(start) - Date.parse(date)) < 2 * 86_400_000;
}

/** Batches with a value at that moment, and batches that delete a record there. */
function aboutSample(batches: readonly CountedBatch[], metric: string, atMs: number): CountedBatch[] {
  const recordsAt = ({ upload: { body } }: CountedBatch) =>
    (body.records ?? []).filter((record) => record.metric === metric && Date.parse(record.start) === atMs);
  const ids = new Set(batches.flatMap(recordsAt).map(({ id }) => id));
  return batches.filter((batch) => {
    const { series = [], deletions = [] } = batch.upload.body;
    const inSeries = series.some(({ start, values, interval_seconds = 4, offsets_seconds }) => {
      const seconds = offsets_seconds?.at(-1) ?? (values.length - 1) * interval_seconds;
      const fromMs = Date.parse(start);
      return metric === 'heart_rate' && fromMs <= atMs && atMs <= fromMs + seconds * 1000;
    });
    return inSeries || recordsAt(batch).length > 0 || deletions.some(({ id }) => ids.has(id));
  });
}
