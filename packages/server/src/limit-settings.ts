import { findProvider } from '@tributary/providers';
import type { AccountLimits } from './account-limits.ts';
import type { EnvironmentReader } from './environment-reader.ts';

export interface LimitSettings {
  addressPerSecond: number;
  addressBurst: number;
  /** Unless an account has its own. */
  account: AccountLimits;
  /** Rules that replace the built-in limits of providers, by provider. */
  providers: Readonly<Record<string, readonly ProviderLimit[]>>;
}

/** A rule that replaces the built-in ones of a provider. */
interface ProviderLimit {
  per: 'app' | 'user';
  calls: number;
  /** More calls for each connected user. */
  callsPerUser: number;
  windowSeconds: number;
}

const mostCount = 1_000_000_000_000;

export function readLimits(env: EnvironmentReader, maxStreams: number): LimitSettings {
  return {
    addressPerSecond: env.integer('ADDRESS_LIMIT_PER_SECOND', 20, 1, 1_000_000),
    addressBurst: env.integer('ADDRESS_LIMIT_BURST', 200, 1, 1_000_000),
    account: readAccountLimits(env, maxStreams),
    providers: readProviderLimits(env),
  };
}

function readAccountLimits(env: EnvironmentReader, maxStreams: number): AccountLimits {
  const unlimited = (name: string) =>
    env.optional(name) === undefined ? null : env.integer(name, 0, 0, mostCount);
  return {
    requestsPerSecond: env.integer('ACCOUNT_LIMIT_PER_SECOND', 100, 1, 1_000_000),
    requestBurst: env.integer('ACCOUNT_LIMIT_BURST', 200, 1, 1_000_000),
    users: unlimited('MAX_USERS_PER_ACCOUNT'),
    uploadsPerDay: unlimited('MAX_UPLOADS_PER_ACCOUNT_DAY'),
    valuesPerDay: unlimited('MAX_VALUES_PER_ACCOUNT_DAY'),
    streams: env.integer('MAX_STREAMS_PER_ACCOUNT', Math.ceil(maxStreams / 10), 0, 1_000_000),
  };
}

/** Entries such as `whoop:500/60` or `google_health:user:600/60`: calls per window in seconds, of the app or of each user. */
function readProviderLimits(env: EnvironmentReader): LimitSettings['providers'] {
  const rules: Record<string, ProviderLimit[]> = {};
  for (const entry of env.list('PROVIDER_LIMITS')) {
    const [, id = '', user, calls, callsPerUser, seconds] =
      /^([a-z_]+):(user:)?(\d{1,10})(?:\+(\d{1,7}))?\/(\d{1,7})$/.exec(entry) ?? [];
    if (!findProvider(id) || Number(calls) < 1 || Number(seconds) < 1) {
      env.problem(
        `PROVIDER_LIMITS contains the invalid entry ${JSON.stringify(entry)}: use \`provider:calls/seconds\`, \`provider:user:calls/seconds\` or \`provider:calls+calls per user/seconds\``,
      );
      continue;
    }
    (rules[id] ??= []).push({
      per: user ? 'user' : 'app',
      calls: Number(calls),
      callsPerUser: Number(callsPerUser ?? 0),
      windowSeconds: Number(seconds),
    });
  }
  return rules;
}
