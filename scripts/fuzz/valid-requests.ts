import type { DescribedOperation } from '@tributary/server/testing/openapi';
import { makeSensibleDevice } from './devices.ts';
import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';
import { validValue, type Resolve, type Schema } from './schema-values.ts';
import { sensibleSettings } from './settings.ts';
import { makeSensibleUpload } from './uploads.ts';
import { makeSensibleRoster } from './roster.ts';
import { makeSensibleWebhook } from './webhooks.ts';
import type { Tenant } from './tenant.ts';

const form1Fields = new Set(['reference_id', 'page', 'per_page', 'start_date', 'end_date']);
const form2Fields = new Set(['external_ref', 'limit', 'cursor', 'from_date', 'to_date']);
const fieldsOfBoth = new Set(['unit_system', 'include_sources']);

const dayMs = 86_400_000;

/** A request that the API description allows, about existing things. */
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
  const device = random.pick(operation.operationId === 'getDeviceSync' ? tenant.connections : tenant.devices);
  const batch = random.pick(tenant.batches);
  const workout = random.pick(tenant.workouts);
  const night = random.pick(tenant.nights);
  const id = byToken
    ? userId
    : path.includes('{session_id}')
      ? session.userId
      : path.includes('{device_id}')
        ? device.userId
        : path.includes('{workout_id}') || path.includes('{sleep_id}')
          ? workout.userId
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
      .replace('{batch_id}', batch.id)
      .replace('{workout_id}', workout.id)
      .replace('{sleep_id}', night.id),
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
    const isOfForm = fieldsOfBoth.has(name) || (form === '1' ? form1Fields : form2Fields).has(name);
    if (parameter.in !== 'query' || !isOfForm || random.chance(0.5)) continue;
    request.query.push([name, queryValue(name, parameter.schema, random, tenant, resolve)]);
  }
  // A cursor belongs to the whole list, not to a filtered one.
  if (request.query.some(([name]) => name === 'cursor')) {
    request.query = request.query.filter(([name]) => name !== 'external_ref');
  }
  makeSensibleDates(request, operation, form, random);
  makeSensibleCursor(request, tenant, id);
  makeSensibleMetrics(request, form, random);
  if (operation.operationId === 'explainDaily') request.query = questionOf(random);
  if (operation.operationId === 'explainScore') request.query = scoreQuestionOf(random);
  if (operation.requestBody) {
    const { schema } = operation.requestBody.content['application/json'];
    request.headers['content-type'] = 'application/json';
    request.body = sensible(validValue(schema, random, resolve), form, random, tenant, id);
    if (operation.operationId === 'createBatch') makeSensibleUpload(request, random, tenant);
    if (operation.operationId === 'createUser') delete (request.body as { sandbox?: unknown }).sandbox; // unknown to live keys
    if (operation.tags.includes('Consolidation')) request.body = sensibleSettings(random);
  }
  if (operation.tags.includes('Webhooks')) makeSensibleWebhook(request, path, random, tenant);
  if (operation.tags.includes('Devices')) makeSensibleDevice(request, random);
  if (operation.tags.includes('Team roster')) makeSensibleRoster(request, path, random, tenant);
  return request;
}

/** Sets dates in order and not too far apart. Form 1 requires both. */
function makeSensibleDates(
  request: FuzzRequest,
  { parameters = [] }: DescribedOperation['operation'],
  form: string,
  random: Random,
): void {
  const known = new Set(parameters.map(({ name }) => name));
  const form1 = known.has('start_date') && (form === '1' || !known.has('from_date'));
  if (!form1 && (form === '1' || !known.has('from_date'))) return;
  const names = form1 ? (['start_date', 'end_date'] as const) : (['from_date', 'to_date'] as const);
  const lastMs = Date.UTC(2026, 2, 1) + random.int(-400, 30) * dayMs;
  const firstMs = lastMs - random.int(0, 30) * dayMs;
  const [first, last] = [firstMs, lastMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  request.query = request.query.filter(([name]) => !names.some((one) => one === name));
  if (form1 || random.chance(0.7)) request.query.push([names[0], first!], [names[1], last!]);
}

/** Sets lists of metrics, which the schema does not describe. */
function makeSensibleMetrics(request: FuzzRequest, form: string, random: Random): void {
  if (request.operationId === 'listDaily' && random.chance(0.7)) {
    const list = random.pick(['steps', 'weight, asleep ,steps', 'heart_rate,heart_rate,stress_score']);
    request.query.push([form === '1' ? 'metrics' : 'types', list]);
    if (random.chance(0.3))
      request.query.push([form === '1' ? 'include_missing' : 'include_reasons', 'true']);
  }
  const listsScores =
    request.operationId === 'listScoreHistory' || (request.operationId === 'listScores' && form === '2');
  if (listsScores && random.chance(0.5))
    request.query.push(['types', random.pick(['sleep_score', 'strain_score, recovery_score ,strain_score'])]);
  if (request.operationId !== 'listTimeseries') return;
  const named = new Set(['metrics', 'resolution']);
  request.query = request.query.filter(([name]) => !named.has(name));
  request.query.push([
    'metrics',
    random.pick(['heart_rate', 'steps,heart_rate', 'blood_oxygen, stress_score']),
  ]);
  if (random.chance(0.4))
    request.query.push(['resolution', random.pick(['raw', '1s', '45s', '5m', '1440m'])]);
}

/** One metric of each kind, and a day. */
function questionOf(random: Random): FuzzRequest['query'] {
  const metric = random.pick([
    'steps',
    'heart_rate',
    'heart_rate_max',
    'asleep',
    'bedtime',
    'total_energy',
    'running',
  ]);
  const day = new Date(Date.UTC(2026, 2, 1) + random.int(-400, 30) * dayMs).toISOString();
  return [
    ['metric', metric],
    ['date', random.pick([day.slice(0, 10), '2026-03-01'])],
  ];
}

/** A score of any type, and a day. */
function scoreQuestionOf(random: Random): FuzzRequest['query'] {
  const type = random.pick(['recovery', 'strain', 'sleep', 'stress', 'nutrition', 'energy_reserve']);
  const day = new Date(Date.UTC(2026, 2, 1) + random.int(-400, 30) * dayMs).toISOString();
  return [
    ['type', `${type}_score`],
    ['date', day.slice(0, 10)],
  ];
}

/** A session cursor belongs to its list and user, and contains all other parameters. */
function makeSensibleCursor(request: FuzzRequest, tenant: Tenant, userId: string): void {
  if (['listAccessRecords', 'listAudit', 'listEvents', 'streamEvents'].includes(request.operationId ?? ''))
    request.query = request.query.filter(([name]) => name !== 'cursor'); // known cursors belong to lists of users
  if (request.operationId !== 'listSleep' && request.operationId !== 'listWorkouts') return;
  const hasCursor = request.query.some(([name]) => name === 'cursor');
  request.query = request.query.filter(([name]) => name !== 'cursor');
  if (hasCursor && userId === tenant.users[0])
    request.query = [['cursor', tenant.sessionCursors[request.operationId]!]];
}

function pickUser(operationId: string, random: Random, tenant: Tenant): string {
  if (operationId !== 'deleteUser') return random.pick(tenant.users);
  // The first user is never deleted, because tokens and devices belong to it.
  return tenant.users.slice(1).at(-1) ?? tenant.deleted.at(-1)!;
}

/** A token that ends its session is not used again. */
function pickAccessToken(operationId: string, random: Random, tenant: Tenant): string {
  if (operationId === 'createBatch' && random.chance(0.8)) return tenant.phoneToken;
  const ends = operationId === 'deleteCurrentSdkSession';
  return (ends ? tenant.accessTokens.shift() : tenant.accessTokens.at(-1)) ?? 'sdk_none';
}

function queryValue(name: string, schema: Schema, random: Random, tenant: Tenant, resolve: Resolve): string {
  if (name === 'cursor') return random.pick(tenant.cursors);
  if (name === 'reference_id' || name === 'external_ref')
    return random.pick([...tenant.references, 'unknown']);
  // A cursor contains its limit, so a valid request does not send another one.
  if (name === 'limit') return '2';
  return String(validValue(schema, random, resolve));
}

/** Fills in what a schema cannot express: ids that exist, and two names of a reference that agree and fit the form. */
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
  if ('timezone_effective_from' in body) body['timezone'] ??= 'Europe/Berlin';
  return body;
}
