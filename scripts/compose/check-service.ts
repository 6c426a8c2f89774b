import { randomUUID } from 'node:crypto';
import type { Report } from '@tributary/rig';
import type { Project } from './project.ts';
import type { Site } from './site.ts';

interface Account {
  live_key: string;
  sandbox_key: string;
  owner_url: string;
}

/** What has to be the same after a restart. */
export interface State {
  path: string;
  token: string;
  /** Summary and candidates of the explanation. */
  explanation: string;
  live: string;
}

/** Creates an account and a simulated user, and reads the dashboard and an explained value over TLS. */
export async function useService(project: Project, site: Site, report: Report): Promise<State> {
  const account = JSON.parse(
    await project.tributary('account', 'create', '--name', 'Example', '--json'),
  ) as Account;
  const page = await site.request(new URL(account.owner_url).pathname);
  const script = /<script type="module"[^>]* src="(?<path>[^"]+\.js)"/.exec(page.text)?.groups?.['path'];
  const asset = script === undefined ? null : await site.request(script);
  const isServed = page.status === 200 && asset?.status === 200 && asset.text.length > 500;
  report.bound(
    'dashboard through Caddy, certificate verified',
    isServed ? 'served' : `status ${page.status} and ${asset?.status}`,
    'served',
    isServed,
  );
  const token = account.sandbox_key;
  const { id } = await createUser(site, token, { reference_id: 'ada' });
  const path = await findExplained(site, token, id);
  const explanation = await explain(site, token, path);
  report.bound(
    'explained value of a sandbox user',
    explanation.slice(0, 70),
    'a summary',
    explanation.length > 30,
  );
  return { path, token, explanation, live: account.live_key };
}

/** The explanation without what depends on time. */
export async function explain(site: Site, token: string, path: string): Promise<string> {
  const { summary, candidates } = await site.json<{ summary: string; candidates: { because: string }[] }>(
    path,
    {
      token,
    },
  );
  return [summary, ...candidates.map(({ because }) => because)].join(' ');
}

/** The path of an explanation of the steps of a completed day. */
async function findExplained(site: Site, token: string, user: string): Promise<string> {
  const days = [2, 3].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
  const { data } = await site.json<{ data: { date: string }[] }>(
    `/v1/users/${user}/daily?metrics=steps&start_date=${days[1]}&end_date=${days[0]}`,
    { token },
  );
  if (!data[0]) throw new Error('The sandbox user has no steps.');
  return `/v1/users/${user}/daily/explain?metric=steps&date=${data[0].date}`;
}

async function createUser(site: Site, token: string, body: object): Promise<{ id: string }> {
  const { data } = await site.json<{ data: { id: string } }>('/v1/users', { token, body });
  return data;
}

/** A phone that uploads ten steps at a time and never gives up. */
export class Phone {
  readonly #site: Site;
  readonly #key: string;
  readonly #user: string;
  readonly #token: string;
  readonly #unprocessed = new Set<string>();
  #uploads = 0;

  private constructor(site: Site, key: string, user: string, token: string) {
    this.#site = site;
    this.#key = key;
    this.#user = user;
    this.#token = token;
  }

  static async create(site: Site, key: string): Promise<Phone> {
    const { id } = await createUser(site, key, { reference_id: `phone-${randomUUID()}`, timezone: 'UTC' });
    const session = await site.json<{ client_token: string }>(`/v1/users/${id}/sdk-sessions`, {
      token: key,
      body: {},
      headers: { 'idempotency-key': randomUUID() },
    });
    const exchanged = await site.json<{ access_token: string }>('/v1/sdk/sessions/exchange', {
      body: { client_token: session.client_token },
    });
    return new Phone(site, key, id, exchanged.access_token);
  }

  get uploads(): number {
    return this.#uploads;
  }

  /** Uploads until it is accepted. Each upload has five minutes of its own. */
  async upload(): Promise<void> {
    const id = randomUUID();
    const startMs = Date.parse('2026-03-02T00:00:00Z') + this.#uploads * 300_000;
    await this.#site.deliver('/v1/sdk/batches', {
      token: this.#token,
      body: {
        batch_id: id,
        created_at: timestamp(startMs + 300_000),
        device: { provider: 'apple_health', id: 'watch', kind: 'watch' },
        records: [
          { metric: 'steps', start: timestamp(startMs), end: timestamp(startMs + 300_000), value: 10 },
        ],
      },
    });
    this.#uploads++;
    this.#unprocessed.add(id);
  }

  /** How many accepted uploads are not processed. */
  async countUnprocessed(): Promise<number> {
    for (const id of this.#unprocessed) {
      const receipt = await this.#site.json<object>(`/v1/sdk/batches/${id}`, { token: this.#token });
      if (JSON.stringify(receipt).includes('"processed"')) this.#unprocessed.delete(id);
    }
    return this.#unprocessed.size;
  }

  /** All steps that the API returns. */
  async countSteps(): Promise<number> {
    const { data } = await this.#site.json<{ data: { value: number }[] }>(
      `/v1/users/${this.#user}/daily?metrics=steps&start_date=2026-03-02&end_date=2026-04-30`,
      { token: this.#key },
    );
    return data.reduce((sum, { value }) => sum + value, 0);
  }
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
