import { ApiError, type ProfileInputWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import {
  countUsersExclusively,
  findUserDetail,
  insertUser,
  type Profile,
  type UserDetail,
} from '../../store/users.ts';
import { checkBirthDate } from './check-birth-date.ts';

export interface CreateUserInput {
  referenceId: string;
  timezone: string | null;
  profile: ProfileInputWire;
  /** The plan's limit of users in one environment; null for none. */
  userLimit: number | null;
}

/** Creates a user; throws `reference_id_taken`, or `payment_required` at the limit of the plan. */
export function createUser(ctx: Context, tenant: Tenant, input: CreateUserInput): Promise<UserDetail> {
  checkBirthDate(ctx.clock, input.profile.birth_date);
  const id = ctx.newId();
  return asTenant(ctx.db, tenant, async (tx) => {
    if (input.userLimit !== null && (await countUsersExclusively(tx, tenant)) >= input.userLimit) {
      throw new ApiError('payment_required', {
        message: `The plan of this account allows ${input.userLimit} users. Delete some, or ask the operator to raise the limit.`,
        details: { user_limit: input.userLimit },
      });
    }
    const profile = Object.fromEntries(
      Object.entries(input.profile).filter(([, value]) => value !== null),
    ) as Profile;
    const inserted = await insertUser(tx, tenant, {
      id,
      referenceId: input.referenceId,
      timezone: input.timezone,
      profile,
    });
    if (!inserted) throw new ApiError('reference_id_taken');
    const user = await findUserDetail(tx, tenant, id);
    return user!; // inserted by this transaction
  });
}
