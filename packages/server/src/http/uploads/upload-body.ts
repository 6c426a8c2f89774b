import { ApiError, batchLimits } from '@tributary/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { CheckedUpload } from '../../services/batches/checked-upload.ts';
import { sdkCallerOf } from '../frame/auth.ts';
import { UploadChecks } from './upload-checks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The result of checking the body, on the route of uploads. */
    upload: CheckedUpload | ApiError | null;
  }
}

/** Parses and validates the bodies of uploads, compressed or not. The body of the request is then the upload without its lists. */
export function installUploadBody(scope: FastifyInstance, log: Logger): void {
  const checks = new UploadChecks(log);
  scope.addHook('onClose', () => checks[Symbol.asyncDispose]());
  scope.decorateRequest('upload', null);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: batchLimits.bytes },
    async (request: FastifyRequest, body: Buffer) => {
      const { accountId } = sdkCallerOf(request).tenant;
      try {
        request.upload = await checks.check(accountId, body, request.headers['content-encoding']);
        return request.upload.head;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        request.upload = error;
        return {};
      }
    },
  );
}
