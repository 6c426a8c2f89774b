import { ApiError, type OperatorRole } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { AccountState } from '../../store/accounts/api-keys.ts';
import {
  deleteIdleSession,
  findSessionState,
  updateSessionUse,
  type SessionState,
} from '../../store/accounts/operator-sessions.ts';
import type { Operator } from '../../store/accounts/operators.ts';
import type { Environment, Tenant } from '../../store/database/tenant.ts';

/** A signed-in dashboard user. */
export type SignedInOperator = SessionState;

/** A dashboard user who calls the API from the dashboard, for one environment of their account. */
export interface OperatorCaller {
  kind: 'operator';
  operator: SignedInOperator;
  tenant: Tenant;
  account: AccountState;
}

/** The session that a request names, and how long its dashboard user has been inactive: requests of an unattended page are no use of it. */
export interface PresentedSession {
  cookie: string | undefined;
  inactiveSeconds: number;
}

type AuthenticationContext = Pick<Context, 'operator' | 'signIn' | 'config'>;

/** Uses are stored with this precision, to save writes. */
const useEverySeconds = 15;

/** Returns the dashboard user of a session and extends it. Throws `signed_out`. */
export async function authenticateOperator(
  ctx: AuthenticationContext,
  { cookie, inactiveSeconds }: PresentedSession,
): Promise<SignedInOperator> {
  const session = await ctx.signIn.findSession(cookie);
  const state = session && (await findSessionState(ctx.operator, session.sessionId));
  if (!state) throw new ApiError('signed_out');
  const { idleSeconds: limit } = ctx.config.dashboard;
  if (state.idleSeconds >= limit) {
    await deleteIdleSession(ctx.operator, state.sessionId, limit);
    throw new ApiError('signed_out', {
      message: `You were signed out because you were inactive for ${formatMinutes(limit)}. Sign in again.`,
      details: { reason: 'idle' },
    });
  }
  const idleSeconds = Math.min(state.idleSeconds, inactiveSeconds);
  if (state.isUnused || state.idleSeconds - idleSeconds >= useEverySeconds)
    await updateSessionUse(ctx.operator, state.sessionId, idleSeconds);
  return { ...state, idleSeconds };
}

function formatMinutes(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** Like `authenticateOperator`, for an API request. */
export async function authenticateOperatorCall(
  ctx: AuthenticationContext & Pick<Context, 'credentials'>,
  session: PresentedSession,
  environment: Environment,
): Promise<OperatorCaller> {
  const operator = await authenticateOperator(ctx, session);
  requireEnrolled(operator);
  const account = await ctx.credentials.findAccount(operator.accountId);
  if (!account) throw new ApiError('signed_out');
  return { kind: 'operator', operator, tenant: { accountId: operator.accountId, environment }, account };
}

const order: Record<OperatorRole, number> = { viewer: 0, developer: 1, owner: 2 };

/** Throws `role_too_low` for a dashboard user below this role. */
export function requireRole({ role }: Pick<Operator, 'role'>, least: OperatorRole): void {
  if (order[role] < order[least])
    throw new ApiError('role_too_low', {
      message: `Your role (${role}) does not allow this. Ask an account owner for the ${least} role.`,
      details: { role, least },
    });
}

/** Throws `role_too_low` for a dashboard user who may not see measured values of an environment. Viewers see none of live users. */
export function requireMeasured(operator: Pick<Operator, 'role'>, environment: Environment): void {
  if (!maySeeMeasured(operator, environment)) requireRole(operator, 'developer');
}

/** Whether a dashboard user may see measured values and profiles of an environment. */
export function maySeeMeasured({ role }: Pick<Operator, 'role'>, environment: Environment): boolean {
  return environment !== 'live' || role !== 'viewer';
}

/** Throws `authenticator_required` for a dashboard user without an authenticator, if their account requires one. */
export function requireEnrolled({
  requiresAuthenticator,
  hasAuthenticator,
}: Pick<SignedInOperator, 'requiresAuthenticator' | 'hasAuthenticator'>): void {
  if (requiresAuthenticator && !hasAuthenticator) throw new ApiError('authenticator_required');
}
