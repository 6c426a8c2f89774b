import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { admit, queryValue } from './admit.ts';
import { collections } from './collections.ts';
import { listHeartRate } from './heart-rate-listing.ts';
import { lastWeightKg, lifeOf } from '../life.ts';
import type { Life } from '../life.ts';
import { findDocument, listPage } from './listing.ts';
import { readToken, writeToken } from './page-token.ts';
import { dayRange } from './range.ts';
import { OuraRefusal } from './refusal.ts';

/** The person whose documents the sandbox shows. */
const sandboxPerson = 'person-1';

/** The collections, and their counterparts in the sandbox. */
export function serveData(app: FastifyInstance, frame: Frame): void {
  app.get('/api/v2/usercollection/personal_info', (request) => {
    const { grant, life } = admit(frame, request, []);
    return personalInfo(frame, grant, life);
  });
  serveCollections(app, frame, '/api/v2/usercollection', (life) => life);
  serveCollections(app, frame, '/api/v2/sandbox/usercollection', () => {
    const person = frame.person(sandboxPerson);
    if (!person) throw new OuraRefusal(404, 'The sandbox has no users.');
    return lifeOf(frame, person);
  });
}

function serveCollections(
  app: FastifyInstance,
  frame: Frame,
  base: string,
  whose: (life: Life) => Life,
): void {
  app.get(`${base}/heartrate`, (request) =>
    listHeartRate(frame, whose(admit(frame, request, ['heartrate']).life), request),
  );
  for (const collection of collections) {
    app.get(`${base}/${collection.name}`, (request) => {
      const life = whose(admit(frame, request, collection.scopes).life);
      const text = queryValue(request, 'next_token');
      const token = text === undefined ? null : readToken<string>(text, 'string');
      const range = token ?? dayRange(request, frame.now(), life.person.timezone);
      const page = listPage(frame, life, collection, range, token?.after ?? null);
      const next =
        page.after === null ? null : writeToken({ start: range.start, end: range.end, after: page.after });
      return { data: page.data.map((document) => pick(document, request)), next_token: next };
    });
    app.get<{ Params: { id: string } }>(`${base}/${collection.name}/:id`, (request) => {
      const life = whose(admit(frame, request, collection.scopes).life);
      const document = findDocument(frame, life, collection, request.params.id);
      if (!document) throw new OuraRefusal(404, 'Document not found.');
      return document;
    });
  }
}

/** Only the requested fields, or all fields if none were requested. */
function pick(document: Record<string, unknown>, request: FastifyRequest): Record<string, unknown> {
  const names = queryValue(request, 'fields')?.split(',');
  return names
    ? Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)))
    : document;
}

/** Always returns the id, and the body only with its scope. */
function personalInfo(frame: Frame, grant: Grant, life: Life): Record<string, unknown> {
  if (!grant.scopes.includes('personal')) return { id: grant.userId };
  return { id: grant.userId, weight: lastWeightKg(life, frame.now()), height: life.person.heightM };
}
