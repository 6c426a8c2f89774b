import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Person } from '../../world/people/person.ts';
import type { Frame, Grant } from '../../provider.ts';
import { entriesOf } from './entries.ts';
import { refuse, admit } from './guard.ts';
import type { Row } from './summary.ts';

const dayMs = 86_400_000;

/** Tokens carried by pings. Each is valid for one request about its person. */
export interface PullTokens {
  callbackUrl: (grant: Grant, key: string, uploadedAt: number) => string;
}

/** Serves the URLs in pings. Reading there requires one of their tokens. */
export function servePull(app: FastifyInstance, frame: Frame): PullTokens {
  const windowsByToken = new Map<string, { grantId: string; key: string; start: number; end: number }>();
  app.get<{ Params: { key: string }; Querystring: Record<string, string | undefined> }>(
    '/apis/wellness-api/rest/:key',
    (request, reply) => {
      const caller = admit(frame, request, reply);
      if (!caller) return reply;
      const { token = '', uploadStartTimeInSeconds, uploadEndTimeInSeconds } = request.query;
      const start = Number(uploadStartTimeInSeconds);
      const end = Number(uploadEndTimeInSeconds);
      if (!(start < end) || end - start > 86_400)
        return refuse(reply, 400, 'The window must be 24 hours or less.');
      const pullWindow = windowsByToken.get(token);
      if (
        pullWindow?.grantId !== caller.grant.id ||
        pullWindow.key !== request.params.key ||
        pullWindow.start !== start ||
        pullWindow.end !== end
      )
        return refuse(reply, 400, 'InvalidPullTokenException');
      windowsByToken.delete(token);
      return uploaded(frame, caller.person, pullWindow.key, start * 1000, end * 1000);
    },
  );
  return {
    callbackUrl: (grant, key, uploadedAt) => {
      const token = randomBytes(16).toString('hex');
      const start = Math.floor(uploadedAt / 1000);
      windowsByToken.set(token, { grantId: grant.id, key, start, end: start + 1 });
      const query = `uploadStartTimeInSeconds=${start}&uploadEndTimeInSeconds=${start + 1}&token=${token}`;
      return `${frame.baseUrl}/apis/wellness-api/rest/${key}?${query}`;
    },
  };
}

/** The rows of a key that appeared or changed between two times. */
function uploaded(frame: Frame, person: Person, key: string, startMs: number, endMs: number): Row[] {
  return frame.datesBetween(person, startMs - 9 * dayMs, endMs).flatMap((date) =>
    entriesOf(frame, person, date).flatMap((entry) => {
      const seen = frame.visible(entry.document, entry.endedAt);
      return seen && seen.updatedAt >= startMs && seen.updatedAt < endMs ? (entry.rows(seen)[key] ?? []) : [];
    }),
  );
}
