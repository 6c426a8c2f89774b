import { createHash } from 'node:crypto';
import { ApiError, defaultScopes, type Scope } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { deriveClientToken } from '../../credentials/client-token.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  insertSession,
  lockSessionOfInstallation,
  type Installation,
} from '../../store/uploads/sdk-sessions.ts';
import {
  claimRequest,
  findStoredResponse,
  insertStoredResponse,
  type StoredResponse,
} from '../../store/uploads/sdk-session-requests.ts';
import { replaceClientToken } from '../../store/uploads/sdk-session-tokens.ts';
import { asTenant, type Tenant } from '../../store/database/tenant.ts';
import { lockUser } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';

const clientTokenSeconds = 15 * 60;

export interface CreateSdkSessionInput extends Installation {
  userId: string;
  idempotencyKey: string;
  /** Null means the default scopes or, for an existing session, its current ones. */
  scopes: readonly Scope[] | null;
  syncIntervalSeconds: number;
}

/** The data an app needs to start the SDK. */
export interface SdkBootstrap {
  sessionId: string;
  clientToken: string;
  clientTokenExpiresAt: string;
  userId: string;
  apiUrl: string;
  syncIntervalSeconds: number;
  categories: Scope[];
}

/**
 * Starts a session, returns the existing session of a known installation, or repeats the earlier response to the same idempotency key. Throws
 * `not_found`, `idempotency_conflict` or `idempotency_in_progress`.
 */
export function createSdkSession(
  ctx: Context,
  acting: Acting,
  input: CreateSdkSessionInput,
): Promise<{ created: boolean; bootstrap: SdkBootstrap }> {
  const bodyHash = hashBody(input);
  return asTenant(ctx.db, acting, async (tx) => {
    const claimed = await claimRequest(tx, acting, input);
    if (claimed === null) throw userNotFound(formatId('user', input.userId));
    if (!claimed) throw new ApiError('idempotency_in_progress', { retryAfterSeconds: 1 });
    const known = await findStoredResponse(tx, acting, input);
    if (known && !known.bodyHash.equals(bodyHash)) throw new ApiError('idempotency_conflict');
    if (known) return { created: false, bootstrap: toBootstrap(ctx, input.userId, known) };

    if (!(await lockUser(tx, acting, input.userId))) throw userNotFound(formatId('user', input.userId));
    const { created, ...response } = await startSession(ctx, tx, acting, input);
    const completedRequest = { ...response, bodyHash };
    // Pipelined, so that the audit entry costs no extra round trip.
    await Promise.all([
      insertStoredResponse(tx, acting, input, completedRequest),
      record(ctx, tx, acting, {
        action: 'sdk_session.created',
        target: { type: 'sdk_session', id: response.sessionId },
        data: { user: formatId('user', input.userId), scopes: response.scopes, recovered: !created },
      }),
    ]);
    return { created, bootstrap: toBootstrap(ctx, input.userId, completedRequest) };
  });
}

async function startSession(
  ctx: Context,
  tx: Queryable,
  tenant: Tenant,
  input: CreateSdkSessionInput,
): Promise<Omit<StoredResponse, 'bodyHash'> & { created: boolean }> {
  const { userId, installationId } = input;
  const existing =
    installationId === null ? null : await lockSessionOfInstallation(tx, tenant, userId, installationId);
  const id = existing?.id ?? ctx.newId();
  if (!existing) await insertSession(tx, tenant, { ...input, id, scopes: input.scopes ?? defaultScopes });

  const place = {
    sessionId: id,
    generation: (existing?.clientGeneration ?? 0) + 1,
    keyVersion: ctx.keyring.newestVersion,
  };
  const { scopes, expiresAt } = await replaceClientToken(
    tx,
    tenant,
    { ...input, id },
    {
      generation: place.generation,
      hash: hashSecret(deriveClientToken(ctx.keyring, place)),
      lifetimeSeconds: clientTokenSeconds,
    },
  );
  return {
    created: !existing,
    sessionId: id,
    clientGeneration: place.generation,
    keyVersion: place.keyVersion,
    clientTokenExpiresAt: expiresAt,
    apiUrl: ctx.config.http.publicUrl,
    syncIntervalSeconds: input.syncIntervalSeconds,
    scopes,
  };
}

function toBootstrap(ctx: Context, userId: string, completedRequest: StoredResponse): SdkBootstrap {
  const { sessionId, clientGeneration: generation, keyVersion } = completedRequest;
  return {
    sessionId,
    clientToken: deriveClientToken(ctx.keyring, { sessionId, generation, keyVersion }),
    clientTokenExpiresAt: completedRequest.clientTokenExpiresAt,
    userId,
    apiUrl: completedRequest.apiUrl,
    syncIntervalSeconds: completedRequest.syncIntervalSeconds,
    categories: completedRequest.scopes,
  };
}

/** Two bodies are equal if all known fields are. The order of fields and scopes is irrelevant. */
function hashBody(input: CreateSdkSessionInput): Buffer {
  const { platform, installationId, appVersion, deviceModel, scopes } = input;
  const fields = [platform, installationId, appVersion, deviceModel, scopes?.toSorted() ?? null];
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}
