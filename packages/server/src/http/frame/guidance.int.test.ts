import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let userId: string;
beforeAll(async () => {
  app = await startTestApp();
  const user = await app.request('POST', '/v1/users', { body: { reference_id: 'guidance' } });
  userId = user.body.data.id;
});
afterAll(() => app[Symbol.asyncDispose]());

describe('errors', () => {
  test('repeat the request ID in their details', async () => {
    const { headers, body } = await app.request('GET', '/v1/users/user_unknown');
    expect(headers.get('request-id')).toMatch(/^req_/);
    expect(body.details).toEqual({ request_id: headers.get('request-id') });
  });

  test.each([
    ['', 'missing_token', 'Bearer realm="tributary"'],
    ['sk_live_unknown', 'invalid_token', 'Bearer realm="tributary", error="invalid_token"'],
  ])('challenge a request with the key %j', async (key, code, challenge) => {
    const { status, headers, body } = await app.request('GET', '/v1/users', { key });
    expect([status, body.error]).toEqual([401, code]);
    expect(headers.get('www-authenticate')).toBe(challenge);
  });

  test.each(['sk_live_something', 'Basic c2s6', 'Token x'])(
    'name the missing prefix of %j',
    async (authorization) => {
      const { status, body } = await app.request('GET', '/v1/users', { key: '', headers: { authorization } });
      expect([status, body.error]).toEqual([401, 'invalid_token']);
      expect(body.message).toBe(
        'The `Authorization` header does not start with `Bearer`. Send `Authorization: Bearer <API_KEY>`.',
      );
    },
  );

  test('do not challenge a browser that signs in to the dashboard', async () => {
    const { status, headers } = await app.request('GET', '/dashboard/api/session', { key: '' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBeNull();
  });
});

describe('suggestions', () => {
  const dates = 'start_date=2026-03-01&end_date=2026-03-02';

  test.each([
    [`daily?metrics=step&${dates}`, 400, 'Unknown metric `step` for this endpoint. Did you mean `steps`?'],
    ['daily?types=Steps', 422, 'Unknown metric `Steps` for this endpoint. Did you mean `steps`?'],
    [`timeseries?metrics=heartrate&${dates}`, 400, 'Did you mean `heart_rate`?'],
    ['scores?types=sleepscore', 422, 'Did you mean `sleep_score`?'],
    [`daily?metric=steps&${dates}`, 400, 'is not supported by this endpoint. Did you mean `metrics`?'],
    ['daily?metrics=steps&start=2026-03-01', 400, 'Did you mean `start_date`?'],
    ['daily/explain?metric=stps&date=2026-03-01', 400, 'Did you mean `steps`?'],
    ['daily/explain?metrics=steps&date=2026-03-01', 400, 'is required. The request has `metrics` instead.'],
    [`timeseries?metrics=weight&${dates}`, 400, 'This endpoint does not serve metric `weight`.'],
  ])('are made for %s', async (path, status, message) => {
    const response = await app.request('GET', `/v1/users/${userId}/${path}`);
    expect(response.status).toBe(status);
    expect(response.body.message).toContain(message);
  });

  test('name the methods of a path', async () => {
    const { status, body } = await app.request('PUT', `/v1/users/${userId}`, { body: {} });
    expect(status).toBe(405);
    expect(body.message).toMatch(/^`PUT` is not supported here\. Supported methods: .*`GET`.*\.$/);
  });

  test('are made for a provider', async () => {
    const body = { provider: 'whop' };
    const response = await app.request('POST', `/v1/users/${userId}/devices`, { body });
    expect(response.body.error).toBe('unknown_provider');
    expect(response.body.message).toContain('Unknown provider `whop`. Did you mean `whoop`?');
  });

  test('are made for a consolidation setting', async () => {
    const body = { metrics: { step: { method: 'max' } } };
    const response = await app.request('PATCH', `/v1/users/${userId}/consolidation`, { body });
    expect(response.body).toMatchObject({
      error: 'invalid_metric',
      message: 'Unknown metric `step`. Did you mean `steps`?',
    });
  });

  test('are not made for several unknown names, or for one that resembles none', async () => {
    for (const metrics of ['step,weigth', 'unicorns']) {
      const { body } = await app.request('GET', `/v1/users/${userId}/daily?metrics=${metrics}&${dates}`);
      expect(body.message).not.toContain('Did you mean');
    }
  });
});

describe('unknown body fields', () => {
  const warning = {
    field: 'time_zone',
    message: 'Unknown field `time_zone` was ignored. Did you mean `timezone`?',
  };

  // @contract all/formats: An unknown body field that resembles a known one is ignored, and `warnings` reports it
  test.each(['1', '2'])('are reported as warnings in Form %s', async (form) => {
    const headers = { 'API-Form': form };
    const body = { time_zone: 'Europe/Berlin' };
    const reference = { [form === '1' ? 'reference_id' : 'external_ref']: `form-${form}` };
    const created = await app.request('POST', '/v1/users', { headers, body: { ...reference, ...body } });
    expect(created.status).toBe(201);
    expect(created.body.warnings).toEqual([warning]);
    const changed = await app.request('PATCH', `/v1/users/${userId}`, { headers, body });
    expect(changed.body.warnings).toEqual([warning]);
  });

  test.each([[{ shoe_size: 43 }], [{ timezone: 'Europe/Berlin', time_zone: 'UTC' }], [{ timezone: 'UTC' }]])(
    'are ignored silently in %j',
    async (body) => {
      const created = await app.request('POST', '/v1/users', {
        body: { reference_id: JSON.stringify(body), ...body },
      });
      expect(created.status).toBe(201);
      expect(created.body).not.toHaveProperty('warnings');
    },
  );

  test('are not reported with an error', async () => {
    const { body } = await app.request('POST', '/v1/users', {
      body: { reference_id: 'x', time_zone: 'x', timezone: 5 },
    });
    expect(body).not.toHaveProperty('warnings');
  });
});

test('the address of the service leads to the dashboard and the API reference', async () => {
  const response = await fetch(`${app.url}/`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = await response.text();
  expect(text).toContain('href="/dashboard"');
  expect(text).toContain('href="/docs"');
});
