import type { SettingsPatch } from '@tributary/domain';
import { expect } from 'vitest';
import { parseId } from '../../ids.ts';
import { reconsolidateUser } from '../../services/consolidation/reconsolidate-user.ts';
import { rebuildUser } from '../../services/layers/rebuild-user.ts';
import { rescoreUser } from '../../services/scores/rescore-user.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { removeDevice } from '../../services/devices/remove-device.ts';
import { recomputeUserDays } from '../../services/users/recompute-days.ts';
import type { TestResponse, TestApp } from '../../test/apps/test-app.ts';
import { scoreThrough } from '../../test/data/score-through.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';

/** The devices that most scenarios use. */
export const watch = { provider: 'apple_health', id: 'watch', kind: 'watch' };
export const iphone = { provider: 'apple_health', id: 'iphone', kind: 'phone' };
export const band = { provider: 'samsung_health', id: 'band', kind: 'band' };
export const ring = { provider: 'health_connect', id: 'ring', kind: 'ring' };
export const android = { provider: 'health_connect', id: 'android', kind: 'phone' };

type Device = typeof watch;
type Body = TestResponse['body'];

/** A user with devices and settings. All reads and writes go through the API. */
export class Story {
  readonly #app: TestApp;
  readonly user: PhoneUser;

  private constructor(app: TestApp, user: PhoneUser) {
    this.#app = app;
    this.user = user;
  }

  static async begin(app: TestApp, timezone = 'Europe/Berlin'): Promise<Story> {
    return new Story(app, await createPhoneUser(app, { timezone }));
  }

  /** Uploads one batch per device and processes them; expects every batch to be accepted. */
  async upload(...parts: (readonly [Device, object])[]): Promise<void> {
    for (const receipt of await this.#process(parts)) expectLike(receipt, { rejected: [] });
  }

  /** Uploads and processes one batch, parts of which may be rejected. */
  async receipt(device: Device, content: object): Promise<Body> {
    return (await this.#process([[device, content]]))[0];
  }

  /** Uploads a batch that the device created at a certain time, and processes it. */
  async uploadAt(createdAt: string, device: Device, content: object): Promise<void> {
    await this.user.upload(device, { created_at: createdAt, ...content });
    await workThrough(this.#app);
  }

  /** Changes settings and runs the job that follows. */
  async changeSettings(body: SettingsPatch): Promise<void> {
    const response = await this.#request('PATCH', 'consolidation', body);
    expectLike(response, { status: 202 });
    await reconsolidateUser(this.#app.ctx, this.user.uuid);
  }

  /** Changes the time zone and runs the job that follows. */
  async moveTo(timezone: string, from?: string): Promise<void> {
    const body = from === undefined ? { timezone } : { timezone, timezone_effective_from: from };
    const response = await this.#app.request('PATCH', `/v1/users/${this.user.id}`, { body });
    expectLike(response, { status: 200 });
    await recomputeUserDays(this.#app.ctx, this.user.uuid);
  }

  /** Changes the profile and runs the jobs that follow. */
  async changeProfile(profile: object): Promise<void> {
    const response = await this.#app.request('PATCH', `/v1/users/${this.user.id}`, { body: { profile } });
    expectLike(response, { status: 200 });
    const { rows } = await this.#app.admin.query<{ name: string }>(
      `DELETE FROM pgboss.job WHERE singleton_key = $1 AND state = 'created' RETURNING name`,
      [this.user.uuid],
    );
    for (const { name } of rows) {
      if (name === 'reconsolidate-user') await reconsolidateUser(this.#app.ctx, this.user.uuid);
      if (name === 'rescore-user') await rescoreUser(this.#app.ctx, this.user.uuid);
    }
  }

  /** Computes everything that is computed with scores. */
  score(): Promise<void> {
    return scoreThrough(this.#app);
  }

  /** Rebuilds the layers and expects that no value changes. */
  async expectSameAfterRebuild(): Promise<void> {
    for (const from of ['normalized', 'raw'] as const) {
      const rebuild = (tx: Queryable) => rebuildUser(this.#app.ctx, tx, this.user.uuid, from);
      expectLike(await inTransaction(this.#app.ctx.operator, rebuild), { changed: false });
    }
  }

  /** The values of a metric before and after a change of settings, without storing it. */
  async previewOf(body: SettingsPatch, metric: string, date: string): Promise<[unknown, unknown][]> {
    const { metrics } = await this.preview(body, date, date);
    const changes = metrics.find((one: Body) => one.metric === metric)?.changes ?? [];
    return changes.map(({ before, after }: Body) => [before, after]);
  }

  /** Disconnects the first connected device of a provider and runs the job that follows. */
  async disconnectFirst(provider: string): Promise<void> {
    const { body } = await this.#request('GET', 'devices');
    const { id } = body.data.find((one: Body) => one.provider === provider);
    expectLike(await this.#request('DELETE', `devices/${id}`), { status: 204 });
    await removeDevice(this.#app.ctx, { userId: this.user.uuid, deviceId: parseId('dev', id)! });
  }

  /** The values of one metric in a date range. */
  async values(metric: string, from: string, to = from): Promise<(number | null)[]> {
    return (await this.#daily(metric, from, to)).series[metric];
  }

  async value(metric: string, date: string): Promise<number | null> {
    return (await this.values(metric, date))[0]!;
  }

  /** The provider of a value's source, or of all contributors, best-ranked first. */
  async providersOf(metric: string, date: string): Promise<string[]> {
    const body = await this.#daily(metric, date, date);
    const several = body.contributors[metric]?.[0] ?? [];
    const source = body.sources[metric][0];
    if (several.length > 0) expectLike(source, several[0]);
    return (several.length > 0 ? several : source ? [source] : []).map(
      (one: { provider: string }) => one.provider,
    );
  }

  /** The share of the day that the source of a value observed. */
  async coverage(metric: string, date: string): Promise<number | null> {
    return (await this.#daily(metric, date, date)).sources[metric][0].coverage;
  }

  async reason(metric: string, date: string): Promise<string | null> {
    return (await this.#daily(metric, date, date)).reasons[metric][0];
  }

  async samples(
    metric: string,
    from: string,
    to = from,
  ): Promise<[time: string, value: number, provider: string][]> {
    const query = `metrics=${metric}&start_date=${from}&end_date=${to}&include_sources=true`;
    const { body } = await this.#request('GET', `timeseries?${query}`);
    return body.data.map((one: Body) => [one.timestamp.slice(11, 16), one.value, one.source.provider]);
  }

  async sessions(list: 'sleep' | 'workouts', from: string, to = from): Promise<Body[]> {
    return (await this.#request('GET', `${list}?from_date=${from}&to_date=${to}`)).body.data;
  }

  async explain(metric: string, date: string): Promise<Body> {
    return (await this.#request('GET', `daily/explain?metric=${metric}&date=${date}`)).body;
  }

  async explainSession(list: 'sleep' | 'workouts', id: string): Promise<Body> {
    return (await this.#request('GET', `${list}/${id}/explain`)).body;
  }

  /** The result of a change of settings, without the change. */
  async preview(settings: SettingsPatch, from: string, to: string): Promise<Body> {
    const path = `consolidation/preview?from_date=${from}&to_date=${to}`;
    return (await this.#request('POST', path, settings)).body;
  }

  /** The last day of a read that names no days. */
  async today(): Promise<string> {
    return (await this.#request('GET', 'daily?types=steps')).body.to_date;
  }

  async #daily(metric: string, from: string, to: string): Promise<Body> {
    const query = `types=${metric}&from_date=${from}&to_date=${to}&include_sources=true&include_reasons=true`;
    const response = await this.#request('GET', `daily?${query}`);
    expectLike(response, { status: 200 });
    return response.body;
  }

  async #process(parts: readonly (readonly [Device, object])[]): Promise<Body[]> {
    const batches: string[] = [];
    for (const [device, content] of parts) batches.push(await this.user.upload(device, content));
    await workThrough(this.#app);
    const receipts: Body[] = [];
    for (const batch of batches) {
      const { body } = await this.#app.request('GET', `/v1/sdk/batches/${batch}`, {
        key: this.user.accessToken,
      });
      expectLike(body, { status: 'processed' });
      receipts.push(body);
    }
    return receipts;
  }

  #request(method: string, path: string, body?: object): Promise<TestResponse> {
    return this.#app.request(method, `/v1/users/${this.user.id}/${path}`, body ? { body } : {});
  }
}

/** The outcome of each device in an explanation, by device kind. */
export function outcomes(explained: Body): Record<string, string> {
  return Object.fromEntries(
    explained.candidates.map((one: Body) => [one.device.kind, `${one.outcome}: ${one.reason}`]),
  );
}

/** The sentence about each device in an explanation, by device kind. */
export function sentences(explained: Body): Record<string, string> {
  return Object.fromEntries(explained.candidates.map((one: Body) => [one.device.kind, one.because]));
}

/** Steps counted evenly between two times. */
export function steps(start: string, end: string, value: number): object {
  return { metric: 'steps', start, end, value };
}

function expectLike(actual: object, expected: object): void {
  expect(actual).toMatchObject(expected);
}
