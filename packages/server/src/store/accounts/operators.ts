import type { OperatorRole } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { accountRead, readAsAccount } from '../database/tenant.ts';

/** A person who signs in to the dashboard. */
export interface OperatorProfile {
  id: string;
  email: string;
  name: string;
  hasAuthenticator: boolean;
  lastSeenAt: string | null;
}

/** A dashboard user of one account. */
export interface Operator extends OperatorProfile {
  accountId: string;
  role: OperatorRole;
  joinedAt: string;
}

const profileColumns = `o.id, o.email, o.name, coalesce(o.two_factor_enabled, false) AS "hasAuthenticator",
  (SELECT max(coalesce(s.last_used_at, s.updated_at)) FROM auth.sessions s WHERE s.operator_id = o.id) AS "lastSeenAt"`;
export const operatorColumns = `${profileColumns}, r.account_id AS "accountId", r.role, r.joined_at AS "joinedAt"`;
export const operatorTables = `FROM operator_roles r JOIN auth.operators o ON o.id = r.operator_id`;

export async function findOperator(db: Queryable, id: string): Promise<Operator | null> {
  const result = await db.query<Operator>({
    name: 'operators/find',
    text: `SELECT ${operatorColumns} ${operatorTables} WHERE r.operator_id = $1`,
    values: [id],
  });
  return result.rows[0] ?? null;
}

/** Finds a dashboard user by sign-in address. Addresses are stored in lower case. */
export async function findOperatorByEmail(db: Queryable, email: string): Promise<Operator | null> {
  const result = await db.query<Operator>({
    name: 'operators/by-email',
    text: `SELECT ${operatorColumns} ${operatorTables} WHERE o.email = lower($1)`,
    values: [email],
  });
  return result.rows[0] ?? null;
}

/** Finds a dashboard user by the SHA-256 of their sign-in address in lower case. Reads all of them, so only jobs use it. */
export async function findOperatorByEmailHash(db: Queryable, hash: Buffer): Promise<Operator | null> {
  const result = await db.query<Operator>({
    text: `SELECT ${operatorColumns} ${operatorTables} WHERE sha256(convert_to(o.email, 'UTF8')) = $1`,
    values: [hash],
  });
  return result.rows[0] ?? null;
}

/** The place of a dashboard user in a team. */
export interface TeamRole {
  operatorId: string;
  role: OperatorRole;
  joinedAt: string;
}

const selectRoles = accountRead(
  'operators/roles',
  `SELECT r.operator_id AS "operatorId", r.role, r.joined_at AS "joinedAt" FROM operator_roles r
   WHERE in_account(r.account_id, $1::uuid) ORDER BY r.joined_at, r.operator_id`,
);

/** The team of an account in the order in which they joined. */
export function listTeamRoles(db: Queryable, accountId: string): Promise<TeamRole[]> {
  return readAsAccount<TeamRole>(db, accountId, selectRoles, []);
}

/** The profiles of dashboard users. As operator: the service cannot read the schema `auth`. */
export async function listProfiles(operator: Queryable, ids: readonly string[]): Promise<OperatorProfile[]> {
  const result = await operator.query<OperatorProfile>({
    name: 'operators/profiles',
    text: `SELECT ${profileColumns} FROM auth.operators o WHERE o.id = ANY ($1::uuid[])`,
    values: [ids],
  });
  return result.rows;
}

/** Locks the team of an account until the transaction ends, so that two concurrent changes cannot remove the last owner. */
export async function lockTeam(tx: Queryable, accountId: string): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('team/' || $1, 8))`,
    values: [accountId],
  });
}

/** Inserts a dashboard user with a password; false if the address is already in use. */
export async function insertOperator(
  tx: Queryable,
  operator: {
    id: string;
    accountId: string;
    email: string;
    name: string;
    role: OperatorRole;
    passwordHash: string;
  },
): Promise<boolean> {
  const inserted = await tx.query({
    text: `INSERT INTO auth.operators (id, name, email, email_verified) VALUES ($1, $2, lower($3), true)
           ON CONFLICT (email) DO NOTHING`,
    values: [operator.id, operator.name, operator.email],
  });
  if (inserted.rowCount === 0) return false;
  await tx.query({
    text: `INSERT INTO auth.credentials (account_id, provider_id, operator_id, password, updated_at)
           VALUES ($1::text, 'credential', $1::uuid, $2, CURRENT_TIMESTAMP)`,
    values: [operator.id, operator.passwordHash],
  });
  await tx.query({
    text: `INSERT INTO operator_roles (operator_id, account_id, role, joined_at) VALUES ($1, $2, $3, tributary_now())`,
    values: [operator.id, operator.accountId, operator.role],
  });
  return true;
}

export async function updateOperatorRole(tx: Queryable, id: string, role: OperatorRole): Promise<void> {
  await tx.query({ text: `UPDATE operator_roles SET role = $2 WHERE operator_id = $1`, values: [id, role] });
}

/** Deletes a dashboard user with their sessions, password and authenticator. */
export async function deleteOperator(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: `DELETE FROM auth.operators WHERE id = $1`, values: [id] });
}

/** Replaces the password and ends every session. */
export async function replacePassword(tx: Queryable, id: string, passwordHash: string): Promise<void> {
  await tx.query({
    text: `UPDATE auth.credentials SET password = $2, updated_at = CURRENT_TIMESTAMP
           WHERE operator_id = $1 AND provider_id = 'credential'`,
    values: [id, passwordHash],
  });
  await tx.query({ text: `DELETE FROM auth.sessions WHERE operator_id = $1`, values: [id] });
}

/** Removes the authenticator of a dashboard user and ends every session. */
export async function deleteAuthenticator(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: `DELETE FROM auth.authenticators WHERE operator_id = $1`, values: [id] });
  await tx.query({
    text: `UPDATE auth.operators SET two_factor_enabled = false WHERE id = $1`,
    values: [id],
  });
  await tx.query({ text: `DELETE FROM auth.sessions WHERE operator_id = $1`, values: [id] });
}
