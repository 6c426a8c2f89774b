import { ApiError } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';

/**
 * Lets only the dashboard's own pages use the session of whoever is signed in. The cookie is `SameSite=Strict`, and calls carry a header or a
 * content type that no form can send; this is asked besides. Throws `foreign_origin`.
 */
export function requireOwnCall(request: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') throw new ApiError('foreign_origin');
  // Browsers name the origin of everything but a plain read.
  if (origin === undefined) {
    if (request.method === 'GET') return;
    throw new ApiError('foreign_origin');
  }
  if (!URL.canParse(origin)) throw new ApiError('foreign_origin');
  const from = new URL(origin);
  if (from.origin !== new URL(publicUrl).origin && from.host !== request.host)
    throw new ApiError('foreign_origin');
}
