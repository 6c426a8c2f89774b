import { ApiError, type Archetype, type ProfileInputWire } from '@tributary/contract';
import { profileOf } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { insertSandboxBatches, type SandboxPerson, type SandboxUpload } from '../../store/sandbox/sandbox.ts';
import { asTenant, type Tenant } from '../../store/database/tenant.ts';
import {
  countUsersExclusively,
  findUserByReference,
  findUserDetail,
  insertUser,
  type Profile,
  type UserDetail,
} from '../../store/users/users.ts';
import { createSemaphore } from '../../semaphore.ts';
import { record } from '../audit/record.ts';
import { awaitReadiness } from '../sandbox/await-readiness.ts';
import { inventPerson } from '../sandbox/invent-person.ts';
import { makeUploads } from '../sandbox/make-uploads.ts';
import { checkBirthDate } from './check-birth-date.ts';

export interface CreateUserInput {
  referenceId: string;
  timezone: string | null;
  profile: ProfileInputWire;
  /** The plan's user limit per environment, or null. */
  userLimit: number | null;
  /** In the sandbox, the simulated person whose week is generated. Null derives it from the reference ID. */
  archetype: Archetype | 'none' | null;
}

/** Limits the weeks that this process generates concurrently. The first of many new users are committed and processed while the others wait. */
const makingUp = createSemaphore(4);

/**
 * Creates a user. Throws `reference_id_taken`, or `payment_required` at the limit of the plan. A sandbox user gets a week of data in the same
 * transaction, and the call returns once data and scores can be read.
 */
export async function createUser(ctx: Context, acting: Acting, input: CreateUserInput): Promise<UserDetail> {
  checkBirthDate(ctx.clock, input.profile.birth_date);
  const id = ctx.newId();
  if (acting.environment === 'live') return insert(ctx, acting, id, input, null);
  const { user, reports } = await makingUp(async () => {
    const sandbox = await inventUser(ctx, acting, id, input);
    return { user: await insert(ctx, acting, id, input, sandbox), reports: sandbox.uploads.length > 0 };
  });
  if (!reports) return user;
  ctx.announce([{ userId: id }]);
  await awaitReadiness(ctx, acting, id);
  return (await findUserDetail(ctx.db, acting, id)) ?? user;
}

interface InventedUser {
  person: SandboxPerson;
  profile: ProfileInputWire;
  uploads: SandboxUpload[];
}

async function inventUser(
  ctx: Context,
  tenant: Tenant,
  id: string,
  input: CreateUserInput,
): Promise<InventedUser> {
  // Generating a week takes far longer than a query, so check for an existing user first.
  if (await findUserByReference(ctx.db, tenant, input.referenceId)) throw new ApiError('reference_id_taken');
  const nowMs = ctx.clock.now();
  const timezone = input.timezone ?? 'UTC';
  const person = inventPerson({ ...input, timezone }, nowMs);
  const uploads = await makeUploads(ctx, person, { timezone, toMs: nowMs, providers: null });
  const profile = person.archetype === 'none' ? {} : profileOf(person.archetype, person.firstDay);
  return {
    person: { ...person, untilMs: nowMs },
    profile,
    uploads: await ctx.rawPayloads.encryptAll(id, uploads),
  };
}

function insert(
  ctx: Context,
  acting: Acting,
  id: string,
  input: CreateUserInput,
  sandbox: InventedUser | null,
): Promise<UserDetail> {
  return asTenant(ctx.db, acting, async (tx) => {
    if (input.userLimit !== null && (await countUsersExclusively(tx, acting)) >= input.userLimit) {
      throw new ApiError('payment_required', {
        message: `This account's plan allows ${input.userLimit} users. Delete a user, or ask the operator to raise the limit.`,
        details: { user_limit: input.userLimit },
      });
    }
    const profile = Object.fromEntries(
      Object.entries({ ...sandbox?.profile, ...input.profile }).filter(([, value]) => value !== null),
    ) as Profile;
    const inserted = await insertUser(tx, acting, {
      id,
      referenceId: input.referenceId,
      timezone: input.timezone,
      profile,
      sandbox: sandbox?.person ?? null,
    });
    if (!inserted) throw new ApiError('reference_id_taken');
    if (sandbox && sandbox.uploads.length > 0) await insertSandboxBatches(tx, id, sandbox.uploads);
    // Pipelined, so that the audit entry costs no extra round trip.
    const [user] = await Promise.all([
      findUserDetail(tx, acting, id),
      record(ctx, tx, acting, {
        action: 'user.created',
        target: { type: 'user', id: formatId('user', id) },
        person: id,
        text: { reference_id: input.referenceId },
      }),
    ]);
    return user!; // inserted by this transaction
  });
}
