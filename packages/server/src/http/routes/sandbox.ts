import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { advanceUser } from '../../services/sandbox/advance-user.ts';
import type { App } from '../frame/app-type.ts';
import { actingOf } from '../frame/auth.ts';
import { userIdOf } from '../parameters/user-id.ts';
import { toUserDetailWire } from '../wire/wire.ts';

export function registerSandboxRoutes(app: App, ctx: Context): void {
  app.post(
    '/v1/sandbox/users/:id/advance',
    { schema: operations.advanceSandboxUser },
    async (request, reply) => {
      const userId = userIdOf(request.params.id);
      const user = await advanceUser(ctx, actingOf(request), userId, request.body.days);
      return reply.send(toUserDetailWire(user, ctx.clock.now()));
    },
  );
}
