import { zstdCompressSync } from 'node:zlib';
import type { PushRequest } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { insertPush } from '../../store/connections/provider-pushes.ts';
import { openAppApi } from '../providers/open-api.ts';
import { readPushState } from './ensure-push.ts';
import type { PushTarget } from './push-targets.ts';

/** Headers that describe a push. None of them is secret. */
const storedHeaders = ['content-type', 'polar-webhook-event'];

export interface PushResponse {
  status: number;
  body?: string;
}

/** Verifies and commits a push before acknowledging it. */
export async function receivePush(
  ctx: Context,
  { environment, provider, app }: PushTarget,
  request: PushRequest,
): Promise<PushResponse> {
  const api = openAppApi(ctx, { environment, provider, app });
  const state = await readPushState(ctx, ctx.db, environment, provider.id);
  const { keep, ...response } = await provider.push.respond(request, {
    api,
    state,
    toleranceMs: ctx.config.sync.pushToleranceMs,
  });
  ctx.metrics.providerPushes.inc({ provider: provider.id, outcome: keep ? 'kept' : String(response.status) });
  if (keep) {
    const { confirm, ...encrypted } = await ctx.rawPayloads.encryptPush(zstdCompressSync(request.body));
    await insertPush(ctx.db, {
      environment,
      provider: provider.id,
      headers: Object.fromEntries(
        storedHeaders.flatMap((name) => (name in request.headers ? [[name, request.headers[name]!]] : [])),
      ),
      ...encrypted,
    });
    confirm();
  }
  return response;
}
