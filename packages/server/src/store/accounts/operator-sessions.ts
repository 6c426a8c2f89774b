import type { Queryable } from '../database/database.ts';
import { operatorColumns, operatorTables, type Operator } from './operators.ts';

/** A session ends this long after sign-in, however much it is used. */
export const sessionDays = 7;

/** A dashboard user with the state of one of their sessions. */
export interface SessionState extends Operator {
  sessionId: string;
  /** How long the session has not been used. */
  idleSeconds: number;
  isUnused: boolean;
  endsAt: string;
  /** Seconds since the dashboard user last confirmed that it is them; null if they have not. */
  confirmedSeconds: number | null;
  /** Whether the account requires an authenticator. */
  requiresAuthenticator: boolean;
}

/** The previous release stores tokens in plain text and no use. The idle time of its sessions starts when they are first used here. */
const idleSince = `coalesce(s.last_used_at, CASE WHEN s.token LIKE 'sha256:%' THEN s.created_at ELSE CURRENT_TIMESTAMP END)`;
const lifetime = `interval '${sessionDays} days'`;

export async function findSessionState(db: Queryable, sessionId: string): Promise<SessionState | null> {
  const result = await db.query<SessionState>({
    name: 'operator-sessions/state',
    text: `SELECT ${operatorColumns}, s.id AS "sessionId", s.last_used_at IS NULL AS "isUnused",
             floor(extract(epoch FROM CURRENT_TIMESTAMP - ${idleSince}))::int AS "idleSeconds",
             s.created_at + ${lifetime} AS "endsAt",
             floor(extract(epoch FROM CURRENT_TIMESTAMP - s.confirmed_at))::int AS "confirmedSeconds",
             a.require_authenticator AS "requiresAuthenticator"
           ${operatorTables} JOIN auth.sessions s ON s.operator_id = o.id JOIN accounts a ON a.id = r.account_id
           WHERE s.id = $1 AND s.created_at > CURRENT_TIMESTAMP - ${lifetime}`,
    values: [sessionId],
  });
  return result.rows[0] ?? null;
}

/** Records that a session was used some seconds ago. Later uses are kept. */
export async function updateSessionUse(db: Queryable, sessionId: string, secondsAgo: number): Promise<void> {
  await db.query({
    name: 'operator-sessions/use',
    text: `UPDATE auth.sessions SET last_used_at = greatest(last_used_at, created_at, CURRENT_TIMESTAMP - $2 * interval '1 second')
           WHERE id = $1`,
    values: [sessionId, secondsAgo],
  });
}

export async function updateSessionConfirmed(tx: Queryable, sessionId: string): Promise<void> {
  await tx.query({
    text: `UPDATE auth.sessions SET confirmed_at = CURRENT_TIMESTAMP WHERE id = $1`,
    values: [sessionId],
  });
}

/** Deletes a session unless it was used in the meantime. */
export async function deleteIdleSession(
  db: Queryable,
  sessionId: string,
  idleSeconds: number,
): Promise<void> {
  await db.query({
    text: `DELETE FROM auth.sessions s WHERE s.id = $1 AND ${idleSince} <= CURRENT_TIMESTAMP - $2 * interval '1 second'`,
    values: [sessionId, idleSeconds],
  });
}

/** Deletes sessions that have ended. */
export async function deleteEndedSessions(db: Queryable, idleSeconds: number): Promise<void> {
  await db.query({
    text: `DELETE FROM auth.sessions s WHERE s.expires_at < CURRENT_TIMESTAMP OR s.created_at < CURRENT_TIMESTAMP - ${lifetime}
             OR ${idleSince} <= CURRENT_TIMESTAMP - $1 * interval '1 second'`,
    values: [idleSeconds],
  });
}

export interface OperatorSession {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  address: string | null;
  userAgent: string | null;
}

export async function listOperatorSessions(
  db: Queryable,
  operatorId: string,
  idleSeconds: number,
): Promise<OperatorSession[]> {
  const result = await db.query<OperatorSession>({
    name: 'operators/sessions',
    text: `SELECT s.id, s.created_at AS "createdAt", coalesce(s.last_used_at, s.updated_at) AS "lastSeenAt",
             nullif(s.ip_address, '') AS address, s.user_agent AS "userAgent"
           FROM auth.sessions s WHERE s.operator_id = $1 AND s.expires_at > CURRENT_TIMESTAMP
             AND s.created_at > CURRENT_TIMESTAMP - ${lifetime}
             AND ${idleSince} > CURRENT_TIMESTAMP - $2 * interval '1 second' ORDER BY "lastSeenAt" DESC`,
    values: [operatorId, idleSeconds],
  });
  return result.rows;
}

/** Ends a session of a dashboard user; false if they have none with this id. */
export async function deleteOperatorSession(
  tx: Queryable,
  operatorId: string,
  sessionId: string,
): Promise<boolean> {
  const result = await tx.query({
    text: `DELETE FROM auth.sessions WHERE operator_id = $1 AND id = $2`,
    values: [operatorId, sessionId],
  });
  return result.rowCount === 1;
}
