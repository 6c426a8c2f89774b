import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { MethodTable } from './method-table.ts';

/** Requests that arrived as HEAD. */
const heads = new WeakSet<IncomingMessage>();

/**
 * Prepares a request for the router and returns its URL. HEAD is served as GET where a path has no handler of its own for it: Node sends the headers
 * of the response and drops its body. A trailing slash of an API path is ignored.
 */
export function rewriteRequest(raw: IncomingMessage, methods: MethodTable): string {
  const url = withoutTrailingSlash(raw.url!);
  if (raw.method === 'HEAD' && methods.isHeadServedAsGet(url)) {
    raw.method = 'GET';
    heads.add(raw);
  }
  return url;
}

/** Whether the client wants only the headers of the response. */
export function isHead(request: FastifyRequest): boolean {
  return heads.has(request.raw);
}

/** The URL without the last slash of its path. Only the API ignores it; pages and files have their own paths. */
export function withoutTrailingSlash(url: string): string {
  if (!url.startsWith('/v1/')) return url;
  const queryAt = url.indexOf('?');
  const pathEnd = queryAt < 0 ? url.length : queryAt;
  return url.charCodeAt(pathEnd - 1) === 0x2f /* / */ ? url.slice(0, pathEnd - 1) + url.slice(pathEnd) : url;
}
