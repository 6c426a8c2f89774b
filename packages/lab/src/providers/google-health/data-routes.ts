import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import { dateOfId } from '../document-id.ts';
import type { Life } from '../life.ts';
import { admit, queryValue } from './admit.ts';
import { pointsOf, type PlacedPoint } from './batches/batches.ts';
import { dataPointOf } from './batches/data-point.ts';
import { dataTypes, type DataType } from './batches/data-types.ts';
import { listPoints } from './listing.ts';
import { GoogleRefusal } from './refusal.ts';
import { dailyRollUp, rollUp } from './batches/rollup.ts';
import { mergedFamily } from './batches/sources.ts';

interface Routed {
  Params: { user: string; type: string; id: string };
}

const base = '/health/v4/users/:user/dataTypes/:type/dataPoints';

/** Data points: per source, merged, rolled up, and single points by id. */
export function serveData(app: FastifyInstance, frame: Frame): void {
  const open = (request: FastifyRequest<Routed>): { type: DataType; life: Life } => {
    const type = dataTypes.get(request.params.type);
    if (!type) throw new GoogleRefusal(400, 'Unknown data type.');
    return { type, life: admit(frame, request, type.scope).life };
  };
  const list = (request: FastifyRequest<Routed>, isMerged: boolean) => {
    const { type, life } = open(request);
    if (!type.isListed) throw new GoogleRefusal(400, `${type.name} does not support listing. Use a rollup.`);
    const isWanted = isMerged ? mergedFamily(queryValue(request, 'dataSourceFamily')) : () => true;
    const listQuery = {
      filter: queryValue(request, 'filter'),
      pageSize: queryValue(request, 'pageSize'),
      pageToken: queryValue(request, 'pageToken'),
    };
    const { points, nextPageToken } = listPoints(frame, life, type, listQuery, isWanted);
    return {
      // Empty lists are omitted, as this API does with all empty values.
      ...(points.length > 0 && { dataPoints: points.map((point) => dataPointOf(type, point, isMerged)) }),
      ...(nextPageToken !== null && { nextPageToken }),
    };
  };
  app.get<Routed>(base, (request) => list(request, false));
  app.get<Routed>(`${base}::reconcile`, (request) => list(request, true));
  app.post<Routed>(`${base}::rollUp`, (request) => {
    const { type, life } = open(request);
    return rollUp(frame, life, type, bodyOf(request));
  });
  app.post<Routed>(`${base}::dailyRollUp`, (request) => {
    const { type, life } = open(request);
    return dailyRollUp(frame, life, type, bodyOf(request));
  });
  app.get<Routed>(`${base}/:id`, (request) => {
    const { type, life } = open(request);
    if (type.shape !== 'session')
      throw new GoogleRefusal(400, `Data points of ${type.name} have no ids. List them instead.`);
    const point = sessionOf(frame, life, type, request.params.id);
    if (!point) throw new GoogleRefusal(404, 'Data point not found.');
    return dataPointOf(type, point, false);
  });
}

function sessionOf(frame: Frame, life: Life, type: DataType, id: string): PlacedPoint | undefined {
  const date = dateOfId(life.person.id, type.name, id);
  return date === null ? undefined : pointsOf(frame, life, type.name, date).find((point) => point.id === id);
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  return body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
}
