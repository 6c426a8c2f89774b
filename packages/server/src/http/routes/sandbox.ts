import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { advanceUser } from '../../services/sandbox/advance-user.ts';
import type { App } from '../app.ts';
import { actingOf } from '../auth.ts';
import { userIdOf } from '../user-id.ts';
import { toUserDetailWire } from '../wire.ts';

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
