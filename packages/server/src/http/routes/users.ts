import {
  ApiError,
  operations,
  userResponse,
  userDeletionResponse,
  userListResponse,
  type ProfileInputWire,
  type UpdateUserWire,
} from '@tributary/contract';
import { parseDay } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { createUser } from '../../services/users/create-user.ts';
import { deleteUser } from '../../services/users/delete-user.ts';
import { getUser } from '../../services/users/get-user.ts';
import { listUsersByCursor } from '../../services/users/list-users-by-cursor.ts';
import { listUsersByPage } from '../../services/users/list-users-by-page.ts';
import { updateUser, type UserUpdate } from '../../services/users/update-user.ts';
import { maySeeMeasured } from '../../services/operators/authenticate-operator.ts';
import type { UserDetail } from '../../store/users/users.ts';
import type { App } from '../frame/app-type.ts';
import { limitsOf } from '../../account-limits.ts';
import { actingOf, callerOf } from '../frame/auth.ts';
import { sendAs } from '../parameters/install-forms.ts';
import { userIdOf } from '../parameters/user-id.ts';
import { toUserDetailWire, toUserWire } from '../wire/wire.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

export function registerUserRoutes(app: App, ctx: Context): void {
  app.post('/v1/users', { schema: operations.createUser }, async (request, reply) => {
    const { tenant, account } = callerOf(request);
    const { timezone, profile, sandbox } = request.body;
    if (sandbox && tenant.environment === 'live') throw notInLive();
    const user = await createUser(ctx, actingOf(request), {
      referenceId: referenceIn(request.body)!, // the schema requires one of its two names
      timezone: timezone ?? null,
      profile: knownProfileFields(profile ?? {}),
      userLimit: limitsOf(ctx.config.limits.account, account).users,
      archetype: sandbox?.archetype ?? null,
    });
    return sendUser(ctx, request, reply.code(201), user);
  });

  app.get('/v1/users', { schema: operations.listUsers }, async (request, reply) => {
    const { tenant } = callerOf(request);
    const { reference_id, page = 1, per_page: perPage = 20, external_ref, limit, cursor } = request.query;
    if (request.form === 1) {
      const { users, total } = await listUsersByPage(ctx, tenant, {
        page,
        perPage,
        referenceId: reference_id,
      });
      const body = { data: users.map(toUserWire), meta: { page, per_page: perPage, total } };
      return sendAs(reply, userListResponse.form1, body);
    }
    const { users, nextCursor } = await listUsersByCursor(ctx, tenant, {
      limit,
      cursor,
      referenceId: external_ref,
    });
    const body = { data: users.map(toUserWire), next_cursor: nextCursor };
    return sendAs(reply, userListResponse.form2, body);
  });

  app.get('/v1/users/:id', { schema: operations.getUser }, async (request, reply) => {
    const user = await getUser(ctx, callerOf(request).tenant, userIdOf(request.params.id));
    return sendUser(ctx, request, reply, user);
  });

  app.patch('/v1/users/:id', { schema: operations.updateUser }, async (request, reply) => {
    const referenceId = referenceIn(request.body);
    const { profile } = request.body;
    const timezone = timezoneIn(request.body);
    const user = await updateUser(ctx, actingOf(request), userIdOf(request.params.id), {
      ...(referenceId === undefined ? {} : { referenceId }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(profile === undefined ? {} : { profile: knownProfileFields(profile) }),
    });
    return sendUser(ctx, request, reply, user);
  });

  app.delete('/v1/users/:id', { schema: operations.deleteUser }, async (request, reply) => {
    await deleteUser(ctx, actingOf(request), userIdOf(request.params.id));
    const deletion = { id: request.params.id, status: 'deleting' };
    if (request.form === 1) return sendAs(reply.code(202), userDeletionResponse.form1, { data: deletion });
    return sendAs(reply.code(202), userDeletionResponse.form2, deletion);
  });
}

function sendUser(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserDetail,
): FastifyReply {
  const caller = callerOf(request);
  const isVisible = caller.kind !== 'operator' || maySeeMeasured(caller.operator, caller.tenant.environment);
  const body = toUserDetailWire(isVisible ? user : { ...user, profile: {} }, ctx.clock.now());
  if (request.form === 1) return sendAs(reply, userResponse.form1, { data: body });
  return sendAs(reply, userResponse.form2, body);
}

function notInLive(): ApiError {
  const problem = 'is only supported with sandbox keys';
  return new ApiError('invalid_request', {
    message: `Body field \`sandbox\` ${problem}.`,
    details: { fields: [{ in: 'body', name: 'sandbox', problem }] },
  });
}

/** The reference under either of its names; both are accepted when they are equal. */
function referenceIn(body: { reference_id?: string; external_ref?: string }): string | undefined {
  const { reference_id, external_ref } = body;
  if (reference_id !== undefined && external_ref !== undefined && reference_id !== external_ref) {
    const problem = 'must equal `reference_id` when both are given';
    throw new ApiError('invalid_request', {
      message: `Body field \`external_ref\` ${problem}.`,
      details: { fields: [{ in: 'body', name: 'external_ref', problem }] },
    });
  }
  return reference_id ?? external_ref;
}

/** The new time zone and the days it applies to. Undefined if it does not change. */
function timezoneIn({ timezone, timezone_effective_from: from }: UpdateUserWire): UserUpdate['timezone'] {
  if (timezone !== undefined) {
    const effectiveFrom = from === undefined ? null : from === 'all' ? from : parseDay(from);
    return { name: timezone, effectiveFrom };
  }
  if (from === undefined) return undefined;
  const problem = 'requires `timezone`';
  throw new ApiError('invalid_request', {
    message: `Body field \`timezone_effective_from\` ${problem}.`,
    details: { fields: [{ in: 'body', name: 'timezone_effective_from', problem }] },
  });
}

/** Unknown profile fields are ignored, not stored. */
function knownProfileFields(profile: ProfileInputWire): ProfileInputWire {
  const { birth_date, sex, height_cm, weight_kg, max_heart_rate, goals } = profile;
  return Object.fromEntries(
    Object.entries({ birth_date, sex, height_cm, weight_kg, max_heart_rate, goals }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
