import { createHash } from 'node:crypto';
import { metrics, type DayNumber } from '@tributary/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { userNotFound } from '../../services/users/user-not-found.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { callerOf } from '../frame/auth.ts';
import { isCurrent, sendNotModified } from './etag.ts';

/** A new catalog changes responses even when the user did not change. */
const catalog = createHash('sha256').update(JSON.stringify(metrics)).digest('base64url').slice(0, 6);

/** Raised by hand when the shape of responses changes, so that no client keeps an old one. */
const shape = 2;

/**
 * Identifies one state of the response to a request. The URL and the form identify the request. The last day is included because it
 * defaults to today, which changes.
 */
export function etagOf(request: FastifyRequest, { version }: ReadUser, lastDay: DayNumber): string {
  return `"${version.toString(36)}-${lastDay.toString(36)}-${request.form ?? 0}-${shape}${catalog}"`;
}

/** Whether the client has a current response. If so, sends 304 without reading data. */
export async function respondIfUnchanged(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
  etagFor: (user: ReadUser) => string,
): Promise<boolean> {
  if (request.headers['if-none-match'] === undefined) return false;
  const user = await ctx.versions.find(callerOf(request).tenant, userId);
  if (!user) throw userNotFound((request.params as { id: string }).id);
  const etag = etagFor(user);
  if (!isCurrent(request, etag)) return false;
  sendNotModified(reply, etag);
  return true;
}
