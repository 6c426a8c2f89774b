import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { startOpsServer } from './ops-server.ts';

let app: TestApp;
let url: string;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  app = resources.use(await startTestApp());
  const server = await startOpsServer(app.ctx);
  resources.defer(() => server.close().closeAllConnections());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => resources.disposeAsync());

const metrics = async () => (await fetch(`${url}/metrics`)).text();

test('/metrics returns rates and latencies by route, the pools and the nodes, and no ID', async () => {
  const { id } = (await app.request('POST', '/v1/users', { body: { reference_id: 'x' } })).body.data;
  await app.request('GET', `/v1/users/${id}`);
  await app.request('GET', '/nowhere/at/all');
  const text = await metrics();
  expect(text).toMatch(
    /tributary_http_request_duration_seconds_count\{method="GET",route="\/v1\/users\/:id",status="200"\} 1/,
  );
  expect(text).toMatch(/route="unknown",status="404"/);
  expect(text).toMatch(/tributary_database_connections\{pool="service",state="idle"\} \d/);
  expect(text).toMatch(/tributary_limiter_decisions_total\{source="\w+",outcome="allowed"\} \d/);
  expect(text).toMatch(/tributary_live_nodes [1-9]/);
  expect(text).toMatch(
    /tributary_build_info\{version="\d+\.\d+\.\d+",commit="unknown",node_version="\d+\.\d+\.\d+"\} 1/,
  );
  expect(text).toMatch(/tributary_access_records_lag_seconds \d/);
  expect(text).not.toContain(id);
});

test('/metrics returns what /readyz returns', async () => {
  const text = await metrics();
  expect(text).toMatch(/^tributary_ready 1$/m);
  for (const component of ['process', 'database', 'loops', 'nats', 'redis'])
    expect(text).toContain(`tributary_component_ok{component="${component}"} 1`);
  app.ctx.draining = true;
  const draining = await metrics();
  app.ctx.draining = false;
  expect(draining).toMatch(/^tributary_ready 0$/m);
  expect(draining).toContain('tributary_component_ok{component="process"} 0');
  expect(draining).toContain('tributary_component_ok{component="database"} 1');
});

test('serves health and readiness and returns 404 for anything else', async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
  app.ctx.draining = true;
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  app.ctx.draining = false;
  expect((await fetch(`${url}/v1/users`)).status).toBe(404);
});
