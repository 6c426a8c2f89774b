import { parseDay, type DayRange } from '@tributary/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessOutcome, CredentialType } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { parseId } from '../../ids.ts';
import { recordRead } from '../../services/dashboard/record-read.ts';
import type { Environment, Tenant } from '../../store/database/tenant.ts';
import { operatorActor } from '../frame/auth.ts';
import { unavailable } from '../frame/errors.ts';
import { isHead } from '../frame/rewrite-request.ts';
import { metadataOf } from '../frame/route-metadata.ts';
import { personReadOf, personReadOfDashboard, type Recorded } from './person-reads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The days that a read covers, if its query does not state both. */
    readDays: DayRange | null;
    /** The user whose data a response contains, where the request does not name one. */
    readUser: string | null;
  }
  interface FastifyContextConfig {
    /** Set from the tables in `person-reads.ts`. */
    recorded?: Recorded;
  }
}

const dashboardPrefix = '/dashboard/api';

/** Records every read of users' data: once its response is known, and before it is sent. */
export function installAccessRecords(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('readDays', null);
  app.decorateRequest('readUser', null);
  app.addHook('onRoute', (route) => {
    const operationId = route.schema?.operationId;
    const isOfDashboard = route.url.startsWith(`${dashboardPrefix}/`);
    if (operationId === undefined && !isOfDashboard) return;
    const read = operationId
      ? personReadOf(operationId)
      : personReadOfDashboard(String(route.method), route.url.slice(dashboardPrefix.length));
    if (!('unrecorded' in read)) route.config = { ...route.config, recorded: read };
  });
  // A read whose record could not be kept is not served.
  app.addHook('onRequest', (request, _reply, done) => {
    done(ctx.accessRecords.isFull && metadataOf(request).recorded ? unavailable() : undefined);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode } = reply;
    const { recorded } = metadataOf(request);
    const isRead = (statusCode >= 200 && statusCode < 300) || statusCode === 304;
    if (!recorded || !isRead) return done(null, payload);
    const audited = auditRead(ctx, request);
    const finish = () => {
      noteRead(ctx, request, statusCode === 304 ? 'not_modified' : 'returned');
      done(null, payload);
    };
    if (audited) audited.then(finish, done);
    else finish();
  });
}

/** Audits that a dashboard user reads data of one user. Returns a promise only in that case. */
export function auditRead(ctx: Context, request: FastifyRequest): Promise<void> | undefined {
  const { recorded, access } = metadataOf(request);
  const reader = readerOf(request);
  if (!recorded || reader?.type !== 'operator') return;
  // A change has its own entry.
  if (request.method !== 'GET' && access?.read !== true) return;
  const userId = userOf(request, recorded);
  if (userId === null) return;
  const acting = { ...reader.tenant, actor: operatorActor(request, reader.id) };
  return recordRead(ctx, acting, userId, recorded.operation);
}

/** Notes a read, to be stored with others. */
export function noteRead(ctx: Context, request: FastifyRequest, outcome: AccessOutcome): void {
  const { recorded } = metadataOf(request);
  const reader = readerOf(request);
  if (!recorded || !reader || ctx.config.accessRecords.retentionDays === 0) return;
  ctx.accessRecords.note({
    id: ctx.newId(),
    accountId: reader.tenant.accountId,
    environment: reader.tenant.environment,
    atMs: ctx.clock.now(),
    credentialType: reader.type,
    credentialId: reader.id,
    userId: userOf(request, recorded),
    operation: recorded.operation,
    days: request.readDays ?? daysOf(request.query as DayQuery),
    outcome: isHead(request) ? 'headers_only' : outcome,
  });
}

interface Reader {
  type: CredentialType;
  id: string;
  tenant: Tenant;
}

/** The credential of a request; null for a phone, which reads nothing but receipts of its own uploads. */
function readerOf({ caller, operator, query }: FastifyRequest): Reader | null {
  if (operator) {
    const { environment } = query as { environment: Environment };
    return { type: 'operator', id: operator.id, tenant: { accountId: operator.accountId, environment } };
  }
  switch (caller?.kind) {
    case 'api_key':
      return { type: 'api_key', id: caller.keyId, tenant: caller.tenant };
    case 'user_token':
      return { type: 'user_token', id: caller.tokenId, tenant: caller.tenant };
    case 'operator':
      return { type: 'operator', id: caller.operator.id, tenant: caller.tenant };
    case 'sdk':
    case undefined:
      return null;
  }
}

function userOf({ params, query, readUser }: FastifyRequest, { user }: Recorded): string | null {
  switch (user) {
    case 'path':
      return parseId('user', (params as { id: string }).id);
    case 'query':
      return parseId('user', (query as { user_id?: string }).user_id ?? '');
    case 'response':
      return readUser;
    case 'several':
      return null;
  }
}

interface DayQuery {
  start_date?: string;
  end_date?: string;
  from_date?: string;
  to_date?: string;
  from?: string;
  to?: string;
  date?: string;
}

/** The days that a query states. */
function daysOf(query: DayQuery): DayRange | null {
  const first = query.start_date ?? query.from_date ?? query.from ?? query.date;
  const last = query.end_date ?? query.to_date ?? query.to ?? query.date;
  if (first === undefined || last === undefined) return null;
  const [from, to] = [parseDay(first), parseDay(last)];
  return from === null || to === null ? null : { from, to };
}
