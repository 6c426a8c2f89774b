import { operations } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { acceptBatch } from '../../../services/batches/accept-batch.ts';
import { getReceipt } from '../../../services/batches/get-receipt.ts';
import { assertLiveSession } from '../../../services/sdk-sessions/assert-live-session.ts';
import type { App } from '../../frame/app-type.ts';
import { sdkCallerOf } from '../../frame/auth.ts';
import { installBatchBody } from '../../parameters/batch-body.ts';

export function registerSdkBatchRoutes(app: App, ctx: Context): void {
  app.decorateRequest('bodyBytes', null);
  app.register(async (scope: App) => {
    installBatchBody(scope);
    scope.post(
      '/v1/sdk/batches',
      { schema: operations.createBatch, attachValidation: true },
      async (request, reply) => {
        const caller = sdkCallerOf(request);
        // Whether the session is still active is known only at commit. An error about the body must not reveal it to a revoked session.
        if (request.validationError) {
          await assertLiveSession(ctx, caller);
          throw request.validationError;
        }
        await acceptBatch(ctx, caller, { body: request.body, bytes: request.bodyBytes! });
        return reply.code(202).send({ batch_id: request.body.batch_id.toLowerCase() });
      },
    );
  });

  app.get('/v1/sdk/batches/:batch_id', { schema: operations.getBatch }, async (request) => {
    const { counts, ...receipt } = await getReceipt(ctx, sdkCallerOf(request), request.params.batch_id);
    const [fresh = 0, updated = 0, duplicate = 0, rejected = 0, deleted = 0] = counts;
    return {
      batch_id: request.params.batch_id.toLowerCase(),
      status: receipt.status,
      counts: { new: fresh, updated, duplicate, rejected, deleted },
      rejected: receipt.rejected,
    };
  });
}
