import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { findActivity, type SeenActivity } from './activities.ts';
import { detailOf, summaryOf } from './activity-record.ts';
import { admit, admitToActivities, queryValue, readsPrivate } from './admit.ts';
import { listActivities } from './listing.ts';
import { badRequest, notFound } from './refusal.ts';
import { isStream, streamsOf } from './streams.ts';
import { zonesOf } from './zones.ts';

interface ById {
  Params: { id: string };
}

const base = '/api/v3';

/** The athlete, and activities with their streams and zones. */
export function serveData(app: FastifyInstance, frame: Frame): void {
  app.get(`${base}/athlete`, (request, reply) => {
    const { grant } = admit(frame, request, reply);
    return reply.send({ id: Number(grant.userId) });
  });

  app.get(`${base}/athlete/activities`, (request, reply) => {
    const { grant, life } = admitToActivities(frame, request, reply);
    const page = listActivities(frame, life, request, readsPrivate(grant));
    return reply.send(page.map((seen) => summaryOf(frame, seen)));
  });

  const serveOne = (
    path: string,
    buildBody: (seen: SeenActivity, life: Life, request: FastifyRequest) => object,
  ): void => {
    app.get<ById>(`${base}/activities/:id${path}`, (request: FastifyRequest<ById>, reply: FastifyReply) => {
      const { grant, life } = admitToActivities(frame, request, reply);
      const id = /^\d{1,16}$/.test(request.params.id) ? Number(request.params.id) : Number.NaN;
      const seen = findActivity(frame, life, id, readsPrivate(grant));
      if (!seen) throw notFound('Activity');
      return reply.send(buildBody(seen, life, request));
    });
  };
  serveOne('', (seen) => detailOf(frame, seen));
  serveOne('/zones', (seen, life) => zonesOf(life, seen));
  serveOne('/streams', (seen, _life, request) => {
    const keys = (queryValue(request, 'keys') ?? '').split(',');
    if (!keys.every(isStream)) throw badRequest('Application', 'keys');
    // Manually entered activities have none.
    if (seen.isManual) throw notFound('ActivityStream');
    const streams = streamsOf(frame, seen, keys);
    return queryValue(request, 'key_by_type') === 'true'
      ? streams
      : Object.entries(streams).map(([type, stream]) => ({ type, ...stream }));
  });
}
