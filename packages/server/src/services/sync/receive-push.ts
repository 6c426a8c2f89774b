import { zstdCompressSync } from 'node:zlib';
import { findProvider, type PushRequest } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { insertPush } from '../../store/connections/provider-pushes.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { findApp } from '../providers/find-app.ts';
import { openAppApi } from '../providers/open-api.ts';
import { isPushSecret } from '../providers/push-address.ts';
import { readPushState } from './ensure-push.ts';

/** Headers that describe a push. None of them is secret. */
const storedHeaders = ['content-type', 'polar-webhook-event'];

export interface PushResponse {
  status: number;
  body?: string;
}

/** Verifies and commits a push before acknowledging it. Returns null if the URL is not ours. */
export async function receivePush(
  ctx: Context,
  to: { environment: Environment; provider: string; secret: string },
  request: PushRequest,
): Promise<PushResponse | null> {
  const { environment } = to;
  const provider = findProvider(to.provider);
  const app = provider?.push ? await findApp(ctx, ctx.db, environment, provider) : null;
  if (!provider?.push || !app || !isPushSecret(ctx, environment, provider.id, app, to.secret)) return null;
  const api = openAppApi(ctx, { environment, provider, app });
  const state = await readPushState(ctx, ctx.db, environment, provider.id);
  const { keep, ...response } = await provider.push.respond(request, {
    api,
    state,
    toleranceMs: ctx.config.sync.pushToleranceMs,
  });
  ctx.metrics.providerPushes.inc({ provider: provider.id, outcome: keep ? 'kept' : String(response.status) });
  if (keep)
    await insertPush(ctx.db, {
      environment,
      provider: provider.id,
      headers: Object.fromEntries(
        storedHeaders.flatMap((name) => (name in request.headers ? [[name, request.headers[name]!]] : [])),
      ),
      body: zstdCompressSync(request.body),
    });
  return response;
}
