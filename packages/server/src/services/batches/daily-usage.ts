import { ApiError } from '@tributary/contract';
import { dayMs } from '@tributary/domain';
import { limitsOf, type LimitOverrides } from '../../account-limits.ts';
import type { Core } from '../../core.ts';
import { addUsage, type Usage, type UsageRow } from '../../store/accounts/usage.ts';
import type { Tenant } from '../../store/database/tenant.ts';

const flushIntervalMs = 1_000;

interface Entry extends UsageRow {
  /** The totals of all nodes when they were last written. */
  written: Usage;
  limits: LimitOverrides;
  /** Whether anything was uploaded or refused since then. */
  isActive: boolean;
}

/**
 * Counts the uploads of each account per UTC day, and enforces its daily limits. Nodes add their counts to the database once per second, which returns
 * the totals of all nodes and the limits. An upload therefore costs no query, and an account may exceed a limit by the uploads of a second.
 */
export class DailyUsage implements AsyncDisposable {
  readonly #core: Pick<Core, 'clock' | 'config' | 'log' | 'operator'>;
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | null = null;

  constructor(core: Pick<Core, 'clock' | 'config' | 'log' | 'operator'>) {
    this.#core = core;
    this.#timer = setInterval(() => void this.flush(), flushIntervalMs);
    this.#timer.unref();
  }

  /** Throws `rate_limited` if an upload with this number of values would exceed a limit. */
  refuseAboveLimit(tenant: Tenant, values: number): void {
    const entry = this.#entryOf(tenant);
    const limits = limitsOf(this.#core.config.limits.account, { userLimit: null, limits: entry.limits });
    this.#refuse(entry, limits.uploadsPerDay, entry.written.uploads + entry.uploads + 1, 'uploads');
    this.#refuse(entry, limits.valuesPerDay, entry.written.values + entry.values + values, 'values');
  }

  /** Counts an accepted upload. */
  add(tenant: Tenant, values: number): void {
    const entry = this.#entryOf(tenant);
    entry.uploads += 1;
    entry.values += values;
    entry.isActive = true;
  }

  /** Adds what was counted to the database. What cannot be written is kept for the next time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  async #flush(): Promise<void> {
    const active = [...this.#entries.values()].filter(({ isActive }) => isActive);
    if (active.length === 0) return;
    const added = active.map(({ accountId, environment, day, uploads, values }) => {
      return { accountId, environment, day, uploads, values };
    });
    for (const entry of active) entry.isActive = false;
    try {
      for (const row of await addUsage(this.#core.operator, added)) {
        const entry = this.#entries.get(keyOf(row, row.day));
        if (!entry) continue;
        entry.written = { uploads: row.uploads, values: row.values };
        entry.limits = row.limits;
      }
      for (const [at, entry] of active.entries()) {
        entry.uploads -= added[at]!.uploads;
        entry.values -= added[at]!.values;
      }
    } catch (error) {
      for (const entry of active) entry.isActive = true;
      this.#core.log.warn({ err: error }, 'failed to write the usage of accounts; will be retried');
    }
    const today = this.#today();
    for (const [key, entry] of this.#entries)
      if (entry.day !== today && !entry.isActive) this.#entries.delete(key);
  }

  #refuse(entry: Entry, limit: number | null, total: number, what: 'uploads' | 'values'): void {
    if (limit === null || total <= limit) return;
    entry.isActive = true; // to learn about changed limits
    const untilMs = dayMs - (this.#core.clock.now() % dayMs);
    throw new ApiError('rate_limited', {
      message: `This account may upload ${limit} ${what === 'uploads' ? 'batches' : 'values'} per UTC day. Send the upload again after the number of seconds in \`Retry-After\`, or ask the operator to raise the limit.`,
      details: { [limitNames[what]]: limit },
      retryAfterSeconds: Math.ceil(untilMs / 1000),
    });
  }

  #entryOf(tenant: Tenant): Entry {
    const day = this.#today();
    const key = keyOf(tenant, day);
    const known = this.#entries.get(key);
    if (known) return known;
    const { accountId, environment } = tenant;
    const limits = this.#entries.get(keyOf(tenant, this.#today(-1)))?.limits ?? {};
    const written = { uploads: 0, values: 0 };
    // Not known yet: the next flush reads the totals and limits.
    const entry: Entry = {
      accountId,
      environment,
      day,
      uploads: 0,
      values: 0,
      written,
      limits,
      isActive: true,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #today(days = 0): string {
    return new Date(this.#core.clock.now() + days * dayMs).toISOString().slice(0, 10);
  }
}

const limitNames = { uploads: 'uploads_per_day', values: 'values_per_day' } as const;

function keyOf({ accountId, environment }: Tenant, day: string): string {
  return `${accountId} ${environment} ${day}`;
}
