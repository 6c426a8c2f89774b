/** Sends thousands of valid, nearly valid and hostile requests to a running service, and checks every response against openapi.json. */
import { startStack } from '@tributary/stack';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { listOperations, readOpenApiFile } from '@tributary/server/testing/openapi';
import { checkAftermath } from './fuzz/aftermath.ts';
import { providerSettings } from './fuzz/devices.ts';
import { hostileTwists } from './fuzz/hostile-twists.ts';
import { createResponseCheck } from './fuzz/response-check.ts';
import { nearTwists } from './fuzz/near-twists.ts';
import type { Twist } from './fuzz/twist.ts';
import { forEachOf, Random } from '@tributary/rig';
import { checkRawResponse, rawRequest, sendRaw } from './fuzz/raw-requests.ts';
import { Report, show } from './fuzz/report.ts';
import { isStream, type FuzzResponse, type FuzzRequest } from './fuzz/request.ts';
import type { Schema } from './fuzz/schema-values.ts';
import { closeConnections, send } from './fuzz/send.ts';
import { validRequest } from './fuzz/valid-requests.ts';
import { makeWorld, type World } from './fuzz/world.ts';
import type { Tenant } from './fuzz/tenant.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    count: { type: 'string', default: '20000' },
    /** Sends only the request with this number, and prints the response. */
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const count = Number(values.count);
const workers = 24;
/** One request in this many is sent as raw bytes over its own socket. */
const rawEvery = 50;
/** Includes enough valid requests for a substantial share of successes. */
const kinds = [
  'valid',
  'valid',
  'valid',
  'near',
  'near',
  'near',
  'near',
  'hostile',
  'hostile',
  'hostile',
] as const;
/** The run starts with this number of valid requests per operation, so that no success is left to chance. */
const validFirst = 3;
/** Operations that run rarely. Deletions are among them, so that some users always remain. */
const seldom = new Set([
  'deleteUser',
  'deleteWebhook',
  'deleteCurrentSdkSession',
  'getHealth',
  'getReadiness',
  'getOpenapi',
  'getOpenapiForm1',
  'getOpenapiForm2',
  'getJwks',
]);

const allTwists = { ...hostileTwists, ...nearTwists };

const document = await readOpenApiFile();
const operations = listOperations(document);
const often = operations.filter(({ operation }) => !seldom.has(operation.operationId));
/** The operation with by far the largest body, and the only one whose body is processed later. */
const uploads = operations.filter(({ operation }) => operation.operationId === 'createBatch');
const check = createResponseCheck(document);
const report = new Report(operations);

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] as Schema);
}

function makeRequest(index: number, world: World): { request: FuzzRequest; tenant: Tenant } {
  const random = new Random(`${seed}/${index}`);
  const tenant = random.pick(world.tenants);
  if (index < validFirst * operations.length) {
    const described = operations[index % operations.length]!;
    return { request: validRequest(described, random, tenant, resolve), tenant };
  }
  const kind = random.pick(kinds);
  for (;;) {
    const described = random.pick(random.chance(0.15) ? uploads : random.chance(0.3) ? operations : often);
    const request = validRequest(described, random, tenant, resolve);
    if (kind === 'valid') return { request, tenant };
    // A twist that does not apply is tried on another request.
    const twist = twistOnce(request, kind === 'near' ? nearTwists : hostileTwists, random, world, tenant);
    if (twist === null) continue;
    const again = kind === 'hostile' && random.chance(0.4);
    const second = again ? twistOnce(request, allTwists, random, world, tenant) : null;
    return { request: { ...request, kind, twist: second ? `${twist}, ${second}` : twist }, tenant };
  }
}

function twistOnce(
  request: FuzzRequest,
  twists: Record<string, Twist>,
  random: Random,
  world: World,
  tenant: Tenant,
): string | null {
  const { operationId } = request;
  const [name, apply] = random.pick(Object.entries(twists));
  const applied = apply(request, random, world, tenant) !== false;
  // A request for no operation remains one after a second twist.
  if (operationId === null) request.operationId = null;
  return applied ? name : null;
}

/** Records what the response created or changed, so that later requests refer to existing things. */
function learn(request: FuzzRequest, response: FuzzResponse, tenant: Tenant): void {
  if (
    request.kind !== 'valid' ||
    response.status >= 300 ||
    response.body === '' ||
    isStream(response.headers)
  )
    return;
  const body = JSON.parse(response.body) as Record<string, string | undefined> & { data?: { id?: string } };
  learnTokens(request, body, tenant);
  learnUploads(request, body, tenant);
  const id = body['id'] ?? body.data?.id;
  if (id === undefined) return;
  if (request.operationId === 'createUser' && tenant.users.length < 50) tenant.users.push(id);
  if (request.operationId === 'createWebhook' && tenant.webhooks.length < 50)
    tenant.webhooks.push({ id, eventId: tenant.webhooks[0]!.eventId });
  if (request.operationId === 'deleteUser') {
    tenant.users = tenant.users.filter((user) => user !== id);
    tenant.deleted.push(id);
  }
}

function learnTokens(request: FuzzRequest, body: Record<string, string | undefined>, tenant: Tenant): void {
  const { client_token, refresh_token, access_token, session_id, user_id, token } = body;
  if (client_token) tenant.clientTokens.push(client_token);
  if (request.operationId === 'createMobileToken' && token) tenant.clientTokens.push(token);
  if (refresh_token) tenant.refreshTokens.push(refresh_token);
  if (access_token) tenant.accessTokens.push(access_token);
  if (session_id && user_id && tenant.sessions.length < 50)
    tenant.sessions.push({ id: session_id, userId: user_id });
}

function learnUploads(
  { operationId, headers, path }: FuzzRequest,
  body: { batch_id?: string; data?: unknown },
  tenant: Tenant,
): void {
  if (operationId === 'createBatch' && body.batch_id)
    tenant.batches.push({ id: body.batch_id, token: String(headers['authorization']).slice(7) });
  const connected = (body.data as { id?: string } | undefined)?.id;
  if (operationId === 'connectDevice' && connected !== undefined && tenant.devices.length < 50) {
    const device = { id: connected, userId: path.split('/')[3]! };
    tenant.devices.push(device);
    tenant.connections.push(device);
  }
  if (operationId !== 'listDevices') return;
  const known = new Set(tenant.devices.map(({ id }) => id));
  for (const { id } of body.data as { id: string }[])
    if (!known.has(id)) tenant.devices.push({ id, userId: path.split('/')[3]! });
}

async function fuzzOne(index: number, world: World, baseUrl: string): Promise<void> {
  if (index % rawEvery === 0) {
    const random = new Random(`${seed}/${index}`);
    const { name, bytes } = rawRequest(random, random.pick(world.tenants).key);
    const response = await sendRaw(baseUrl, bytes);
    report.addRaw(index, name, bytes, response, checkRawResponse(response));
    return;
  }
  const { request, tenant } = makeRequest(index, world);
  try {
    const response = await send(baseUrl, request);
    report.add(index, request, response, check(request, response));
    if (values.only !== undefined) console.log(show(request, response));
    learn(request, response, tenant);
  } catch (error) {
    report.add(
      index,
      request,
      { status: 0, headers: {}, body: '' },
      `no response: ${(error as Error).message}`,
    );
  }
}

console.log(`seed ${seed}, ${count} requests`);
{
  await using stack = await startStack({
    ephemeral: true,
    // All requests come from one address here, many with bad credentials.
    env: {
      ADDRESS_LIMIT_PER_SECOND: '1000000',
      ADDRESS_LIMIT_BURST: '1000000',
      LOG_LEVEL: 'error',
      ...providerSettings,
    },
    onUnexpectedExit: ({ name }) => report.fail(`${name} exited`),
  });
  const world = await makeWorld(stack);
  const startedAt = performance.now();
  const numbers =
    values.only === undefined ? Array.from({ length: count }, (_, at) => at) : [Number(values.only)];
  await forEachOf(numbers, workers, (number) => fuzzOne(number, world, stack.info.base_url));
  for (const problem of await checkAftermath(stack.info.database_url)) report.fail(problem);
  const alive = await fetch(`${stack.info.base_url}/readyz`);
  if (!alive.ok) report.fail(`not ready after the run: ${alive.status}`);
  closeConnections();
  report.print((performance.now() - startedAt) / 1000);
}
if (values.only === undefined) report.requireVariety();
if (report.failed) {
  console.error(`\nRepeat a single request with: node scripts/fuzz.ts --seed ${seed} --only <number>`);
  process.exitCode = 1;
}
