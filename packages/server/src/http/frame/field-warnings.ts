import { suggest } from '@tributary/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { componentsById } from './serialization.ts';

/** A body field that was ignored and is probably misspelled. */
interface FieldWarning {
  field: string;
  message: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    fieldWarnings: FieldWarning[] | null;
  }
}

interface BodySchema {
  $ref?: string;
  properties?: Record<string, unknown>;
  anyOf?: BodySchema[];
  allOf?: BodySchema[];
}

/** More fields than this are not checked. */
const mostFields = 50;

/**
 * Reports body fields that were ignored and resemble a known one, such as `time_zone`, as `warnings` in the response. Bodies may carry unknown
 * fields, so clients built for a newer version work with an older one. Without the warning, a typo would go unnoticed.
 */
export function installFieldWarnings(app: FastifyInstance): void {
  app.decorateRequest('fieldWarnings', null);
  app.addHook('onRoute', (route) => {
    const known = knownFields(route.schema?.body as BodySchema | undefined);
    if (known.size === 0) return;
    const check = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
      request.fieldWarnings = findWarnings(request.body, known);
      done();
    };
    route.preHandler = [...[route.preHandler ?? []].flat(), check];
    route.onSend = [...[route.onSend ?? []].flat(), addWarnings];
  });
}

function findWarnings(body: unknown, known: ReadonlySet<string>): FieldWarning[] | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const warnings = Object.keys(body)
    .slice(0, mostFields)
    .filter((field) => !known.has(field))
    .flatMap((field) => {
      const suggestion = suggest(field, known);
      if (suggestion === null || suggestion in body) return [];
      return [{ field, message: `Unknown field \`${field}\` was ignored. Did you mean \`${suggestion}\`?` }];
    });
  return warnings.length > 0 ? warnings : null;
}

function addWarnings(
  { fieldWarnings }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isObject = typeof payload === 'string' && payload.startsWith('{') && payload.endsWith('}');
  if (!fieldWarnings || reply.statusCode >= 300 || !isObject) return done(null, payload);
  const separator = payload === '{}' ? '' : ',';
  done(null, `${payload.slice(0, -1)}${separator}"warnings":${JSON.stringify(fieldWarnings)}}`);
}

function knownFields(schema: BodySchema | undefined): Set<string> {
  if (!schema) return new Set();
  const target =
    schema.$ref === undefined
      ? schema
      : (componentsById.get(schema.$ref.replace(/#$/, '')) as BodySchema | undefined);
  const parts = [...(target?.anyOf ?? []), ...(target?.allOf ?? [])];
  return new Set([
    ...Object.keys(target?.properties ?? {}),
    ...parts.flatMap((part) => [...knownFields(part)]),
  ]);
}
