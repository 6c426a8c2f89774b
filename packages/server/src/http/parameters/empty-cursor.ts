import type { FastifyInstance } from 'fastify';
import { metadataOf } from '../frame/route-metadata.ts';

/** Removes an empty cursor, which means the start. Runs after the form is selected, because a cursor selects one. */
export function installEmptyCursor(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const query = request.query as { cursor?: unknown };
    if (query.cursor === '' && metadataOf(request).takesCursor) delete query.cursor;
    done();
  });
}
