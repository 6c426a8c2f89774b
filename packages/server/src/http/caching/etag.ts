import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { metadataOf } from '../frame/route-metadata.ts';

/** A strong tag: identical content has the same tag on every node, and different content has a different one. */
export function etagOfContent(content: string): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

/**
 * Whether the client already has the content with this tag. Compares weakly, as RFC 9110 requires for `If-None-Match`, because a proxy that
 * compressed the response may have weakened the tag. A malformed header matches nothing.
 */
export function isCurrent(request: FastifyRequest, etag: string): boolean {
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return listTags(ifNoneMatch).includes(opaquePart(etag));
}

/** Sends 304 Not Modified. */
export function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.code(304).header('ETag', etag).send();
}

/**
 * Tags responses by their content where the operation promises a tag and the route sets none. This saves no query, only the transfer to the
 * client.
 */
export function installTags(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isTagged = metadataOf(request).promisesTag && reply.statusCode === 200 && !reply.hasHeader('ETag');
    if (!isTagged || typeof payload !== 'string') return done(null, payload);
    const etag = etagOfContent(payload);
    void reply.header('ETag', etag);
    if (!isCurrent(request, etag)) return done(null, payload);
    void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
    done(null, '');
  });
}

/** The quoted tags in the header. A tag may contain commas and spaces, so splitting at commas would be wrong. */
function listTags(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}

function opaquePart(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
