import type { DescribedOperation } from '../../packages/server/src/test/openapi-file.ts';
import type { Random } from './random.ts';
import type { FuzzRequest } from './request.ts';
import { validValue, type Resolve, type Schema } from './schema-values.ts';
import { makeSensibleUpload } from './uploads.ts';
import type { Tenant } from './world.ts';

const form1Fields = new Set(['reference_id', 'page', 'per_page']);
const form2Fields = new Set(['external_ref', 'limit', 'cursor']);

/** A request that the description allows, about things that exist. */
export function validRequest(
  { method, path, operation }: DescribedOperation,
  random: Random,
  tenant: Tenant,
  resolve: Resolve,
): FuzzRequest {
  const form = random.pick(['1', '2']);
  const byToken = operation.security.some((scheme) => 'userToken' in scheme) && random.chance(0.3);
  const bySession = operation.security.some((scheme) => 'sdkToken' in scheme);
  const { token, userId } = random.pick(tenant.userTokens);
  const session = random.pick([...tenant.sessions, { id: random.uuid(), userId: tenant.users[0]! }]);
  const device = random.pick(tenant.devices);
  const batch = random.pick(tenant.batches);
  const id = byToken
    ? userId
    : path.includes('{session_id}')
      ? session.userId
      : path.includes('{device_id}')
        ? device.userId
        : pickUser(operation.operationId, random, tenant);
  const request: FuzzRequest = {
    kind: 'valid',
    twist: 'none',
    operationId: operation.operationId,
    method,
    path: path
      .replace('{id}', id)
      .replace('{session_id}', session.id)
      .replace('{device_id}', device.id)
      .replace('{batch_id}', batch.id),
    query: [],
    headers: {},
  };
  if (operation.security.length > 0) {
    const sdkToken = path.includes('{batch_id}')
      ? batch.token
      : pickAccessToken(operation.operationId, random, tenant);
    const own = bySession ? sdkToken : tenant.key;
    request.headers['authorization'] = `Bearer ${byToken ? token : own}`;
  }
  for (const parameter of operation.parameters ?? []) {
    const { name } = parameter;
    if (name === 'API-Form' && random.chance(0.5)) request.headers[name] = form;
    if (parameter.in === 'header' && parameter.required)
      request.headers[name] = String(validValue(parameter.schema, random, resolve));
    const isOfForm = form === '1' ? form1Fields.has(name) : form2Fields.has(name);
    if (parameter.in !== 'query' || !isOfForm || random.chance(0.5)) continue;
    request.query.push([name, queryValue(name, parameter.schema, random, tenant, resolve)]);
  }
  // A cursor belongs to the whole list, not to a filtered one.
  if (request.query.some(([name]) => name === 'cursor')) {
    request.query = request.query.filter(([name]) => name !== 'external_ref');
  }
  if (operation.requestBody) {
    const { schema } = operation.requestBody.content['application/json'];
    request.headers['content-type'] = 'application/json';
    request.body = sensible(validValue(schema, random, resolve), form, random, tenant, id);
    if (operation.operationId === 'createBatch') makeSensibleUpload(request, random, tenant);
  }
  return request;
}

function pickUser(operationId: string, random: Random, tenant: Tenant): string {
  if (operationId !== 'deleteUser') return random.pick(tenant.users);
  // The first user stays, because tokens and devices belong to it.
  return tenant.users.slice(1).at(-1) ?? tenant.deleted.at(-1)!;
}

/** One that ends its session is not used again. */
function pickAccessToken(operationId: string, random: Random, tenant: Tenant): string {
  if (operationId === 'createBatch' && random.chance(0.8)) return tenant.phoneToken;
  const ends = operationId === 'deleteCurrentSdkSession';
  return (ends ? tenant.accessTokens.shift() : tenant.accessTokens.at(-1)) ?? 'sdk_none';
}

function queryValue(name: string, schema: Schema, random: Random, tenant: Tenant, resolve: Resolve): string {
  if (name === 'cursor') return random.pick(tenant.cursors);
  if (name === 'reference_id' || name === 'external_ref')
    return random.pick([...tenant.references, 'nobody']);
  // A cursor remembers its limit, so a valid request does not send another one along.
  if (name === 'limit') return '2';
  return String(validValue(schema, random, resolve));
}

/** What a schema cannot say: which ids exist, and that both names of a reference must agree and fit the form. */
function sensible(value: unknown, form: string, random: Random, tenant: Tenant, id: string): unknown {
  const body = value as Record<string, unknown>;
  if ('user_id' in body) body['user_id'] = id;
  if ('client_token' in body) body['client_token'] = tenant.clientTokens.pop() ?? 'ct_none';
  if ('refresh_token' in body) body['refresh_token'] = tenant.refreshTokens.pop() ?? 'rt_none';
  if ('reference_id' in body || 'external_ref' in body) {
    const reference = `${String(body['reference_id'] ?? body['external_ref']).slice(0, 200)}-${random.word(12)}`;
    delete body['reference_id'];
    delete body['external_ref'];
    body[form === '1' ? 'reference_id' : 'external_ref'] = reference;
  }
  return body;
}
