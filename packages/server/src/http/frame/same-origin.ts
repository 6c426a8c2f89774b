import { ApiError } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';

/**
 * Restricts dashboard sessions to the dashboard's own pages. This is in addition to the `SameSite=Strict` cookie and to requiring a header
 * or content type that no form can send. Throws `foreign_origin`.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') throw new ApiError('foreign_origin');
  // Browsers send `Origin` with everything except plain reads.
  if (origin === undefined) {
    if (request.method === 'GET') return;
    throw new ApiError('foreign_origin');
  }
  if (!URL.canParse(origin)) throw new ApiError('foreign_origin');
  const from = new URL(origin);
  if (from.origin !== new URL(publicUrl).origin && from.host !== request.host)
    throw new ApiError('foreign_origin');
}
