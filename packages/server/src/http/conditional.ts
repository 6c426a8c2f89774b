import { createHash } from 'node:crypto';
import { metrics, type DayNumber } from '@tributary/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { userNotFound } from '../services/users/user-not-found.ts';
import type { ReadUser } from '../store/user-read.ts';
import { callerOf } from './auth.ts';
import { isCurrent, sendNotModified } from './etag.ts';

/** Answers look different under another catalog, though nothing about the user changed. */
const catalog = createHash('sha256').update(JSON.stringify(metrics)).digest('base64url').slice(0, 6);

/** Raised by hand when answers change their shape, so that no client keeps an old one. */
const shape = 1;

/**
 * Names one state of the answer to a request. The address and the form say what was asked for; the last day is there because
 * a request may leave it to us, and then it means another day tomorrow.
 */
export function etagOf(request: FastifyRequest, { version }: ReadUser, lastDay: DayNumber): string {
  return `"${version.toString(36)}-${lastDay.toString(36)}-${request.form ?? 0}-${shape}${catalog}"`;
}

/** Whether the client has the answer already: then it is told so, and no data are looked at. */
export async function answersUnchanged(
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
