import { ApiError } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';

/** What the routes of links have in common: the secret is in the path. */
export interface LinkRoute {
  Params: { token: string };
}

/** No operation of the API; and mail programs add to the query what they like. */
export const linkRoute = { schema: { hide: true, querystring: { type: 'object' } } };

/** The form that was sent. */
export function formOf(request: Pick<FastifyRequest, 'body'>): URLSearchParams {
  if (!(request.body instanceof URLSearchParams)) throw new ApiError('invalid_request');
  return request.body;
}
