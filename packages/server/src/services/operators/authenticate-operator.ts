import { ApiError, type OperatorRole } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { AccountState } from '../../store/accounts/api-keys.ts';
import { findOperator, type Operator } from '../../store/accounts/operators.ts';
import type { Environment, Tenant } from '../../store/database/tenant.ts';

/** A signed-in dashboard user. */
export interface SignedInOperator extends Operator {
  sessionId: string;
  /** Sent with the response, because a session in use is extended once a day. */
  setCookie: string[];
}

/** A dashboard user who calls the API from the dashboard, for one environment of their account. */
export interface OperatorCaller {
  kind: 'operator';
  operator: SignedInOperator;
  tenant: Tenant;
  account: AccountState;
}

/** Returns the dashboard user of a session cookie. Throws `signed_out`. */
export async function authenticateOperator(
  ctx: Pick<Context, 'operator' | 'signIn'>,
  cookie: string | undefined,
): Promise<SignedInOperator> {
  const session = await ctx.signIn.findSession(cookie);
  const operator = session && (await findOperator(ctx.operator, session.operatorId));
  if (!session || !operator) throw new ApiError('signed_out');
  return { ...operator, sessionId: session.sessionId, setCookie: session.setCookie };
}

/** Like `authenticateOperator`, for an API request. */
export async function authenticateOperatorCall(
  ctx: Pick<Context, 'operator' | 'signIn' | 'credentials'>,
  cookie: string | undefined,
  environment: Environment,
): Promise<OperatorCaller> {
  const operator = await authenticateOperator(ctx, cookie);
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
