import type { FastifyInstance } from 'fastify';
import type { Person } from '../../world/people/person.ts';
import type { Frame, Grant } from '../../provider.ts';
import { retry } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import { entriesOf } from './entries.ts';
import { refuse, admit } from './guard.ts';
import type { Row } from './summary.ts';

const dayMs = 86_400_000;
/** Older sources say 90. */
const longestDays = 30;
/** How far before the connection data is available. */
const reachDays = 31;
const rowsACall = 100;

/** Keys that have another name in backfills. */
const keysByType: Record<string, string> = {
  ...Object.fromEntries(
    [
      'dailies',
      'epochs',
      'sleeps',
      'bodyComps',
      'stressDetails',
      'userMetrics',
      'hrv',
      'skinTemp',
      'bloodPressures',
      'activities',
      'activityDetails',
    ].map((key) => [key, key]),
  ),
  pulseOx: 'pulseox',
  respiration: 'allDayRespiration',
};

/** Serves backfill requests. They are only accepted. The data arrives by push like all other data. */
export function serveBackfill(
  app: FastifyInstance,
  frame: Frame,
  delivery: Delivery,
  connectedAt: (grantId: string) => number,
): void {
  const requestedRanges = new Set<string>();
  app.get<{ Params: { type: string }; Querystring: Record<string, string | undefined> }>(
    '/apis/wellness-api/rest/backfill/:type',
    (request, reply) => {
      const caller = admit(frame, request, reply);
      if (!caller) return reply;
      const { grant, person } = caller;
      const key = keysByType[request.params.type];
      if (!key) return refuse(reply, 404, 'Unknown summary type.');
      if (!grant.scopes.includes('HISTORICAL_DATA_EXPORT'))
        return refuse(reply, 403, 'The user has not granted HISTORICAL_DATA_EXPORT.');
      const start = 1000 * Number(request.query['summaryStartTimeInSeconds']);
      const end = 1000 * Number(request.query['summaryEndTimeInSeconds']);
      if (!(start < end))
        return refuse(reply, 400, 'summaryStartTimeInSeconds must be before summaryEndTimeInSeconds.');
      if (end - start > longestDays * dayMs)
        return refuse(reply, 400, `Request ${longestDays} days or less.`);
      if (start < connectedAt(grant.id) - reachDays * dayMs)
        return refuse(reply, 400, 'The range starts too long before the connection.');
      const span = JSON.stringify([grant.clientId, grant.userId, key, start, end]);
      if (requestedRanges.has(span)) return refuse(reply, 409, 'This range was already requested.');
      requestedRanges.add(span);
      reply.raw.once('finish', () =>
        sendHistory(frame, delivery, grant, history(frame, person, key, start, end), key),
      );
      return reply.code(202).send();
    },
  );
}

function sendHistory(frame: Frame, delivery: Delivery, grant: Grant, rows: Row[], key: string): void {
  for (let from = 0; from < rows.length; from += rowsACall)
    for (const push of delivery.buildPushes(grant, key, rows.slice(from, from + rowsACall), frame.now()))
      frame.pushes.send(push, retry);
}

function history(frame: Frame, person: Person, key: string, start: number, end: number): Row[] {
  return frame
    .datesBetween(person, start - dayMs, end + dayMs)
    .flatMap((date) => entriesOf(frame, person, date))
    .filter((entry) => entry.isLast && entry.from >= start && entry.from < end)
    .flatMap((entry) => {
      const seen = frame.visible(entry.document, entry.endedAt);
      // History includes manual edits.
      return seen
        ? (entry.rows({ ...seen, revision: key.startsWith('activit') ? 0 : seen.revision })[key] ?? [])
        : [];
    });
}
