import type pg from 'pg';
import type { WatchedClient } from './watched-client.ts';

/**
 * The service sees one tenant at a time, the operator sees all, and the owner is only for migrations. `sign_in` sees the dashboard users and is for
 * the authentication library. `key_store` is the login of a separate key store, which has no roles.
 */
export type DatabaseRole = 'service' | 'operator' | 'owner' | 'sign_in' | 'key_store';

type ServiceRole = Exclude<DatabaseRole, 'owner' | 'key_store'>;

function hasNoRole(role: DatabaseRole): role is 'owner' | 'key_store' {
  return role === 'owner' || role === 'key_store';
}

/** What a connection must be before it is used. */
export interface Boundary {
  role: DatabaseRole;
  settings: Readonly<Record<string, string>>;
  /** Whether a pooler may be in between. Session locks need a direct connection. */
  mayBePooled: boolean;
}

/** Thrown when a connection would work with other rights or limits than it must. The message is for operators. */
export class BoundaryError extends Error {
  override name = 'BoundaryError';
  readonly code = 'database_boundary';
}

interface BoundaryState {
  login: string;
  role: string;
  isDirect: boolean;
  bypassesPolicies: boolean;
  ownsTables: boolean;
  isReadOnly: boolean;
  /** By name, in base units. */
  settings: Record<string, string>;
}

/**
 * Gives a new connection its role and limits, and verifies them, in one round trip. Behind a pooler nothing is set, because other clients would get
 * a connection with these settings: there, the login must have them already.
 */
export async function enterBoundary(client: WatchedClient, boundary: Boundary): Promise<void> {
  const { role, settings, mayBePooled } = boundary;
  const wanted = hasNoRole(role) ? settings : { role: roleName(role), ...settings };
  const [set, verified] = await Promise.allSettled([
    client.query({
      text: `SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)
             WHERE pg_backend_pid() = $3`,
      values: [Object.keys(wanted), Object.values(wanted), client.serverPid],
    }),
    readState(client, client.serverPid, Object.keys(settings)),
  ]);
  if (set.status === 'rejected') throw explainRefusal(set.reason as Error & { code?: string }, role);
  if (verified.status === 'rejected') throw verified.reason;
  const state = verified.value;
  if (!state.isDirect && !mayBePooled)
    throw new BoundaryError(
      'Session locks need a direct connection to PostgreSQL, but there is a pooler in between. Set DATABASE_DIRECT_URL.',
    );
  if (hasNoRole(role)) return;
  const problems = [...findRoleProblems(state, role), ...findSettingProblems(state, settings)];
  if (problems.length > 0) throw new BoundaryError(describe(state, role, problems));
}

/** Why the connections of a pool may not be used as this role, and whether they can write. */
export async function inspectBoundary(
  db: Pick<pg.ClientBase, 'query'>,
  role: ServiceRole,
): Promise<{ problems: string[]; isReadOnly: boolean }> {
  const state = await readState(db, null, []);
  return { problems: findRoleProblems(state, role), isReadOnly: state.isReadOnly };
}

async function readState(
  db: Pick<pg.ClientBase, 'query'>,
  serverPid: number | null,
  names: string[],
): Promise<BoundaryState> {
  const result = await db.query<BoundaryState>({
    text: `SELECT session_user::text AS login, current_user::text AS role,
             pg_backend_pid() IS NOT DISTINCT FROM $1::int4 AS "isDirect",
             rolsuper OR rolbypassrls AS "bypassesPolicies",
             EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity
               AND pg_has_role(current_user, relowner, 'MEMBER')) AS "ownsTables",
             pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
             coalesce((SELECT jsonb_object_agg(name, setting) FROM pg_settings WHERE name = ANY($2)), '{}') AS settings
           FROM pg_roles WHERE rolname = current_user`,
    values: [serverPid, names],
  });
  return result.rows[0]!;
}

function findRoleProblems(state: BoundaryState, role: ServiceRole): string[] {
  const problems: string[] = [];
  if (state.role !== roleName(role)) problems.push(`it works as ${state.role}`);
  if (state.bypassesPolicies) problems.push('it bypasses row-level security');
  if (state.ownsTables) problems.push('it owns tables, or is a member of their owner');
  return problems;
}

function findSettingProblems(
  { isDirect, settings }: BoundaryState,
  wanted: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(wanted)
    .filter(([name]) => isDirect || name !== 'idle_session_timeout') // the pooler closes its own idle connections
    .filter(([name, value]) => settings[name] !== value)
    .map(([name, value]) => `${name} is ${settings[name] ?? 'missing'} instead of ${value}`);
}

function describe({ isDirect, login }: BoundaryState, role: ServiceRole, problems: string[]): string {
  const fix = isDirect
    ? ''
    : ` A pooler in between drops these settings, so give the login a role and limits of its own: see "Behind a pooler" in docs/operating.md.`;
  return `The database connection for ${roleName(role)} (login ${login}) is not isolated: ${problems.join('; ')}.${fix}`;
}

function explainRefusal(error: Error & { code?: string }, role: DatabaseRole): Error {
  // Insufficient privilege, and an unknown role.
  if (error.code !== '42501' && error.code !== '22023') return error;
  const message = `The database login cannot work as ${roleName(role)}: ${error.message}. Run \`tributary migrate\`, and grant the role to the login.`;
  return Object.assign(new BoundaryError(message), { cause: error });
}

function roleName(role: DatabaseRole): string {
  return `tributary_${role}`;
}
