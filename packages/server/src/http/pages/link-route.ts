import { ApiError } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';

/** Path parameters of link routes. The token is in the path. */
export interface LinkRoute {
  Params: { token: string };
}

/** Hidden from the API description. The query is open because mail programs append parameters. */
export const linkRoute = { schema: { hide: true, querystring: { type: 'object' } } };

/** Returns the submitted form. */
export function formOf(request: Pick<FastifyRequest, 'body'>): URLSearchParams {
  if (!(request.body instanceof URLSearchParams)) throw new ApiError('invalid_request');
  return request.body;
}
