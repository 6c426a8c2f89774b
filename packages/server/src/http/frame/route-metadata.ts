import type { Recorded } from '../access-records/person-reads.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessOf, type Access } from './access.ts';
import { operationsWithForms } from '../parameters/choose-form.ts';

/** Facts about a route that every request's hooks need. */
export interface RouteMetadata {
  /** The path pattern; undefined when no route matched. */
  url: string | undefined;
  access: Access | undefined;
  /** Whether its body is read without a credential. */
  anonymousBody: boolean;
  /** Whether a browser may call it with a user token. */
  isBrowserRead: boolean;
  /** The operation, where it has two forms; null otherwise. */
  operationWithForms: string | null;
  /** Query parameters that are not strings. */
  typedQuery: readonly (readonly [name: string, type: 'integer' | 'boolean'])[];
  /** Whether the operation has a cursor as query parameter. */
  takesCursor: boolean;
  /** Whether the operation documents a 304 response. */
  promisesTag: boolean;
  /** How the response is recorded as a read of users' data; null if it is not. */
  recorded: Recorded | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Read it with `metadataOf`. */
    facts: RouteMetadata | null;
  }
}

export function installRouteMetadata(app: FastifyInstance): void {
  app.decorateRequest('facts', null);
}

/** Keyed by configuration, which the framework creates anew for each route. */
const known = new WeakMap<object, RouteMetadata>();

/** The facts of a request's route, collected once because the framework rebuilds `routeOptions` at every access. */
export function metadataOf(request: FastifyRequest): RouteMetadata {
  if (request.facts) return request.facts;
  const options = request.routeOptions;
  let facts = known.get(options.config);
  if (!facts) {
    facts = collect(options);
    known.set(options.config, facts);
  }
  request.facts = facts;
  return facts;
}

function collect({ url, config, schema }: FastifyRequest['routeOptions']): RouteMetadata {
  const operationId = schema?.operationId;
  const { properties = {} } = (schema?.querystring ?? {}) as QuerySchema;
  return {
    url,
    access: config.access,
    anonymousBody: config.anonymousBody === true,
    isBrowserRead: isBrowserRead(operationId),
    operationWithForms: operationId !== undefined && operationId in operationsWithForms ? operationId : null,
    typedQuery: listTyped(properties),
    takesCursor: 'cursor' in properties,
    promisesTag: Boolean((schema?.response as Record<number, unknown> | undefined)?.[304]),
    recorded: config.recorded ?? null,
  };
}

/** Whether an operation is a read that a user token may perform. */
export function isBrowserRead(operationId: string | undefined): boolean {
  return operationId !== undefined && accessOf(operationId).ownUser === true;
}

interface QuerySchema {
  properties?: Record<string, { type?: string }>;
}

function listTyped(properties: Record<string, { type?: string }>): RouteMetadata['typedQuery'] {
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'boolean' ? [[name, type] as const] : [],
  );
}
