import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

/** A strong tag: the same for the same content on every node, and another for any other. */
export function etagOfContent(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
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

/** The tags of the header with their quotes; a tag may hold commas and blanks, so that splitting at commas would not do. */
function listTags(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}

function opaquePart(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
