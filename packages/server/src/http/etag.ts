import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { factsOf } from './route-facts.ts';

/** A strong tag: the same for the same content on every node, and another for any other. */
export function etagOfContent(content: string): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

/**
 * Whether the caller already has what this tag names. Compared weakly, as RFC 9110 asks of `If-None-Match`: a proxy that compressed the
 * answer may have made the tag a weak one. What is not a list of tags names nothing.
 */
export function isCurrent(request: FastifyRequest, etag: string): boolean {
  const held = request.headers['if-none-match'];
  if (held === undefined) return false;
  if (held.trim() === '*') return true;
  return listTags(held).includes(opaquePart(etag));
}

/** Answers that the caller already has it. */
export function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.code(304).header('ETag', etag).send();
}

/**
 * Tags answers by their content where the operation promises a tag and the route has none of its own: it saves no query, but the way to
 * the client.
 */
export function installTags(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isTagged = factsOf(request).promisesTag && reply.statusCode === 200 && !reply.hasHeader('ETag');
    if (!isTagged || typeof payload !== 'string') return done(null, payload);
    const etag = etagOfContent(payload);
    void reply.header('ETag', etag);
    if (!isCurrent(request, etag)) return done(null, payload);
    void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
    done(null, '');
  });
}

/** The tags of the header with their quotes; a tag may hold commas and blanks, so that splitting at commas would not do. */
function listTags(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}

function opaquePart(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
