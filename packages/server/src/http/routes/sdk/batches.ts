import { ApiError, operations } from '@tributary/contract';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import type { Context } from '../../../context.ts';
import { acceptBatch } from '../../../services/batches/accept-batch.ts';
import { getReceipt } from '../../../services/batches/get-receipt.ts';
import { assertLiveSession } from '../../../services/sdk-sessions/assert-live-session.ts';
import type { App } from '../../frame/app-type.ts';
import { sdkCallerOf } from '../../frame/auth.ts';
import { badBody } from '../../frame/errors.ts';
import { compileSchema } from '../../frame/validation.ts';
import { installUploadBody } from '../../uploads/upload-body.ts';

export function registerSdkBatchRoutes(app: App, ctx: Context): void {
  app.register(async (scope: App) => {
    installUploadBody(scope, ctx.log);
    scope.post(
      '/v1/sdk/batches',
      { schema: operations.createBatch, validatorCompiler: compileExceptBody },
      async (request, reply) => {
        const caller = sdkCallerOf(request);
        const { upload } = request;
        if (upload === null) throw badBody('This endpoint requires a JSON body.');
        // Whether the session is still active is known only at commit. An error about the body must not reveal it to a revoked session.
        if (upload instanceof ApiError) {
          await assertLiveSession(ctx, caller);
          throw upload;
        }
        await acceptBatch(ctx, caller, upload);
        return reply.code(202).send({ batch_id: upload.head.batch_id.toLowerCase() });
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

/** The body is validated while it is parsed. */
function compileExceptBody({ schema, httpPart }: FastifyRouteSchemaDef<object>) {
  return httpPart === 'body' ? () => true : compileSchema(schema);
}
