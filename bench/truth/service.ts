import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatId, parseId } from '@tributary/server/testing/ids';
import type { RunAccount, RunStack } from '@tributary/rig';
import type { DeviceValue } from './earlier-rules.ts';
import type { Measured, Subject } from './subject.ts';

/** The values of a subject's days by metric. */
export type Days = Map<Measured, (number | null)[]>;

const pageSize = 100;

/** The running service, read through its API. */
export class Service {
  readonly run: RunStack;
  readonly #account: RunAccount;

  private constructor(run: RunStack, account: RunAccount) {
    this.run = run;
    this.#account = account;
  }

  static async open(run: RunStack): Promise<Service> {
    return new Service(run, await run.tributary<RunAccount>('account', 'create', '--name', randomUUID()));
  }

  /** Creates a user without data. */
  async createUser(timezone: string): Promise<string> {
    const userId = randomUUID();
    await this.run.admin.query({
      text: `INSERT INTO users (id, account_id, environment, reference_id, timezone) VALUES ($1, $2, 'live', $1::uuid::text, $3)`,
      values: [userId, parseId('acc', this.#account.account_id)!, timezone],
    });
    return userId;
  }

  /** Waits until no batch is pending. */
  async drained(): Promise<void> {
    for (;;) {
      const { rows } = await this.run.admin.query<{ n: number }>({
        text: 'SELECT count(*)::int AS n FROM pending_batches',
      });
      if (rows[0]!.n === 0) return;
      await sleep(100);
    }
  }

  /** Canonical values of a subject's days. */
  async readDays(subject: Subject, metrics: readonly Measured[]): Promise<Days> {
    const path = `daily?types=${metrics.join(',')}&${rangeOf(subject)}`;
    const { series } = (await this.#request(subject, 'GET', path)) as {
      series: Record<Measured, (number | null)[]>;
    };
    return new Map(metrics.map((metric) => [metric, series[metric]]));
  }

  /** Canonical values as they would be with another method, from the preview of the change. */
  async previewDays(
    subject: Subject,
    metrics: readonly Measured[],
    method: string,
    current: Days,
  ): Promise<Days> {
    const body = { metrics: Object.fromEntries(metrics.map((metric) => [metric, { method }])) };
    const path = `consolidation/preview?${rangeOf(subject)}`;
    const preview = (await this.#request(subject, 'POST', path, body)) as {
      metrics: { metric: Measured; changes: { date: string; after: number | null }[] }[];
    };
    const days: Days = new Map(metrics.map((metric) => [metric, [...current.get(metric)!]]));
    for (const { metric, changes } of preview.metrics)
      for (const { date, after } of changes) {
        const at = subject.days.findIndex((day) => day.date === date);
        days.get(metric)?.splice(at, 1, after);
      }
    return days;
  }

  /** What each device reported for a day. */
  async readDevices(subject: Subject, metric: Measured, date: string): Promise<DeviceValue[]> {
    const path = `daily/explain?metric=${metric}&date=${date}`;
    const { candidates } = (await this.#request(subject, 'GET', path)) as {
      candidates: { device: { provider: string }; position: number; exact_value: number | null }[];
    };
    return candidates.flatMap(({ device, position, exact_value: value }) =>
      value === null ? [] : [{ provider: device.provider, position, value }],
    );
  }

  /** The number of workouts on each of a subject's days. */
  async countWorkouts(subject: Subject): Promise<number[]> {
    const counts = new Map<string, number>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `workouts?${rangeOf(subject)}&limit=${pageSize}${cursor ? `&cursor=${cursor}` : ''}`;
      const page = (await this.#request(subject, 'GET', path)) as {
        data: { start_time: string }[];
        next_cursor: string | null;
      };
      for (const { start_time: start } of page.data)
        counts.set(start.slice(0, 10), (counts.get(start.slice(0, 10)) ?? 0) + 1);
      cursor = page.next_cursor;
    }
    return subject.days.map(({ date }) => counts.get(date) ?? 0);
  }

  async #request(subject: Subject, method: string, path: string, body?: unknown): Promise<unknown> {
    const url = `${this.run.api[0]!.baseUrl}/v1/users/${formatId('user', subject.userId)}/${path}`;
    for (;;) {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${this.#account.live_key}`,
          'content-type': 'application/json',
          'api-form': '2',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (response.status === 200) return response.json();
      const text = await response.text();
      if (response.status !== 429) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }
}

function rangeOf({ days }: Subject): string {
  return `from_date=${days[0]!.date}&to_date=${days.at(-1)!.date}`;
}
