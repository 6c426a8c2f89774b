import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { parseId } from '../../ids.ts';
import { credentialPrefixes, toAccessRecordWire } from '../../services/access-records/access-record-wire.ts';
import { listAccessRecords } from '../../services/access-records/list-access-records.ts';
import type { App } from '../frame/app-type.ts';
import { callerOf } from '../frame/auth.ts';
import { invalid } from '../parameters/date-range.ts';

export function registerAccessRecordRoutes(app: App, ctx: Context): void {
  app.get('/v1/access-records', { schema: operations.listAccessRecords }, async (request) => {
    const { user_id: user, credential_id: credential, operation, from, to, limit, cursor } = request.query;
    const page = await listAccessRecords(ctx, callerOf(request).tenant, {
      userId: user && readUserId(user),
      credentialId: credential && readCredentialId(credential),
      operation,
      from: from && toMilliseconds(from),
      to: to && toMilliseconds(to),
      limit,
      cursor,
    });
    return { data: page.records.map(toAccessRecordWire), next_cursor: page.nextCursor };
  });
}

function readUserId(id: string): string {
  const userId = parseId('user', id);
  if (userId === null) throw invalid('user_id', 'must be a user id such as user_01jcqz4w5ve9prdk6r9f4vg1yx');
  return userId;
}

function readCredentialId(id: string): string {
  for (const prefix of Object.values(credentialPrefixes)) {
    const credentialId = parseId(prefix, id);
    if (credentialId !== null) return credentialId;
  }
  throw invalid(
    'credential_id',
    'must be the id of an API key (key_…), user token (tok_…) or dashboard user (op_…)',
  );
}

/** Normalizes a time so that the cursor can compare it. */
function toMilliseconds(time: string): string {
  return new Date(time).toISOString();
}
