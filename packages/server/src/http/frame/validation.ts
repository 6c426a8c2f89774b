import { ApiError, components, errorTable, type ErrorCode } from '@tributary/contract';
import { didYouMean, isDayOrAll, isStorableText, isTimestamp, isTimezone, suggest } from '@tributary/domain';
import { parseUuid } from '../../ids.ts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { metadataOf, type RouteMetadata } from './route-metadata.ts';

/** One validator for requests. It coerces nothing: query strings are converted beforehand, strictly, by their schema. */
function createValidator(): Ajv {
  // `verbose` puts the schema into errors, for suggestions.
  const ajv = new Ajv({ strict: false, allErrors: false, verbose: true });
  addFormats.default(ajv);
  ajv.addFormat('text', isStorableText);
  ajv.addFormat('timezone', isTimezone);
  ajv.addFormat('date-or-all', isDayOrAll);
  // The library's own check also accepts times that other parsers reject: leap seconds, offsets without minutes.
  ajv.addFormat('date-time', isTimestamp);
  // One spelling per UUID: the library's own check also accepts URNs, which the database does not.
  ajv.addFormat('uuid', (value) => parseUuid(value) !== null);
  for (const component of components) ajv.addSchema(component);
  return ajv;
}

let ajv: Ajv | undefined;
/** Keyed by the schema as text: many operations share parameters, and tests build the application often. */
const compiled = new Map<string, ValidateFunction>();

/** Compiles a schema of the contract, or returns the validator compiled earlier. */
export function compileSchema(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  ajv ??= createValidator();
  const validate = ajv.compile(schema);
  compiled.set(text, validate);
  return validate;
}

export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compileSchema(httpPart === 'headers' ? inLowerCase(schema as HeadersSchema) : (schema as object)),
  );
  app.addHook('onRoute', (route) => {
    // Every route rejects unknown query parameters.
    if (route.schema)
      route.schema.querystring ??= { type: 'object', properties: {}, additionalProperties: false };
  });
  app.addHook('preValidation', (request, _reply, done) => {
    convertQuery(request.query as Record<string, unknown>, metadataOf(request).typedQuery);
    done();
  });
}

interface HeadersSchema {
  properties: Record<string, object>;
  required?: string[];
}

/** Headers arrive in lowercase, regardless of how the client wrote them. */
function inLowerCase({ properties, required = [], ...rest }: HeadersSchema): HeadersSchema {
  const lowered = Object.entries(properties).map(([name, schema]) => [name.toLowerCase(), schema]);
  const names = required.map((name) => name.toLowerCase());
  return {
    ...rest,
    properties: Object.fromEntries(lowered) as HeadersSchema['properties'],
    required: names,
  };
}

/** Converts integers and booleans of a query string as their schema requires. Other values stay unchanged and fail validation. */
export function convertQuery(query: Record<string, unknown>, typed: RouteMetadata['typedQuery']): void {
  for (const [name, type] of typed) {
    const value = query[name];
    if (typeof value !== 'string') continue;
    if (type === 'integer' && /^-?\d{1,15}$/.test(value)) query[name] = Number(value);
    // Some languages print booleans as `True`.
    if (type === 'boolean' && /^(true|false)$/i.test(value)) query[name] = value.toLowerCase() === 'true';
  }
}

/** Converts a validation failure to an error that a client can act on. */
export function toApiError(errors: readonly ErrorObject[], context: string): ApiError {
  const where = { querystring: 'query', params: 'path', body: 'body', headers: 'header' }[context] ?? context;
  const first = errors[0];
  if (!first) return new ApiError('invalid_request');
  // `idempotency-key` as documented: `Idempotency-Key`.
  const name =
    where === 'header'
      ? nameOf(first).replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
      : nameOf(first);
  const problem = describe(first);
  const code: ErrorCode =
    where === 'query' && first.keyword === 'minLength' && name === 'external_ref'
      ? 'invalid_filter'
      : 'invalid_request';
  const noun =
    { query: 'Query parameter', path: 'Path parameter', body: 'Body field', header: 'Header' }[where] ??
    'Field';
  const message =
    code === 'invalid_filter'
      ? errorTable[code].message
      : `${name ? `${noun} \`${name}\`` : `The ${where}`} ${problem}.${suggestField(first)}`;
  return new ApiError(code, { message, details: { fields: [{ in: where, name, problem }] } });
}

function nameOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  // The client chooses some names, so a name itself may be invalid.
  const last = params.missingProperty ?? params.additionalProperty ?? error.propertyName;
  return [...path, ...(last === undefined ? [] : [last])].join('.').slice(0, 200);
}

function describe(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not supported by this endpoint';
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${String(params['limit'])} characters`;
    case 'minimum':
      return `must be at least ${String(params['limit'])}`;
    case 'maximum':
      return `must be at most ${String(params['limit'])}`;
    case 'minItems':
      return `must have at least ${countItems(Number(params['limit']))}`;
    case 'maxItems':
      return `must have at most ${countItems(Number(params['limit']))}`;
    case 'uniqueItems':
      return 'must not list an item twice';
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
    case 'type':
      return `must be ${[params['type']].flat().map(describeType).join(' or ')}`;
    case 'format':
      return describeFormat(String(params['format']));
    default:
      return error.message ?? 'is not valid';
  }
}

function countItems(count: number): string {
  return count === 1 ? 'one item' : `${count} items`;
}

/** A suggestion for an unknown field, or for a missing one that was probably misspelled; empty for other errors. */
function suggestField({ keyword, params, parentSchema, data }: ErrorObject): string {
  const { properties = {} } = (parentSchema ?? {}) as { properties?: object };
  if (keyword === 'additionalProperties')
    return didYouMean((params as { additionalProperty: string }).additionalProperty, Object.keys(properties));
  if (keyword !== 'required') return '';
  const { missingProperty } = params as { missingProperty: string };
  const sent = Object.keys(data as object).slice(0, mostCompared);
  const misspelled = sent.find(
    (name) => !Object.hasOwn(properties, name) && suggest(name, [missingProperty]),
  );
  return misspelled === undefined ? '' : ` The request has \`${misspelled}\` instead.`;
}

/** Only this many names of a request are compared with a missing one. */
const mostCompared = 50;

function describeType(type: unknown): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'null') return 'null';
  return type === 'string' || type === 'number' ? `a ${type}` : `an ${String(type)}`;
}

function describeFormat(format: string): string {
  switch (format) {
    case 'timezone':
      return 'must be an IANA time zone name such as Europe/Berlin';
    case 'date-or-all':
      return 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200, or `all`';
    case 'text':
      return 'must be text without NUL characters or unpaired surrogates';
    case 'uuid':
      return 'must be a UUID';
    case 'date-time':
      return 'must be a time such as 2026-03-02T07:14:30Z';
    case 'date':
      return 'must be a calendar date, YYYY-MM-DD';
    default:
      return `must be a valid ${format}`;
  }
}
