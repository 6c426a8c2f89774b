import type { ProviderSummaryWire } from '@tributary/contract';
import { dayMs } from '@tributary/domain';
import { providers, type LimitRule, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import {
  countDevices,
  listBusyRules,
  listConnectionFacts,
  type ConnectionFacts,
  type DeviceState,
} from '../../store/dashboard/overview.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findApp } from '../providers/find-app.ts';
import { limitRulesOf, limitStepsOf } from '../providers/limit-steps.ts';
import { listProviders } from '../providers/list-providers.ts';

const endedDays = 7;

/** Shares from which a provider counts as slow or refusing. */
const lateShare = 0.25;
const endedShare = 0.05;
const limitShare = 0.9;

export interface ProviderSummary {
  id: string;
  name: string;
  kind: 'cloud' | 'on_device';
  push: boolean;
  historyDays: number | null;
  state: ProviderSummaryWire['state'];
  /** Connections that sync or should. */
  connections: number;
  byState: Record<DeviceState, number>;
  newestDataAt: string | null;
  limitUsed: number | null;
  /** Consents that ended in the last days. */
  ended: number;
  firstEndedAt: string | null;
  failures: Record<string, number>;
}

/** Returns the health of every provider for a tenant. */
export async function summarizeProviders(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'keyring'>,
  tenant: Tenant,
): Promise<ProviderSummary[]> {
  const since = ctx.clock.now() - endedDays * dayMs;
  const devices = await countDevices(ctx.db, tenant);
  const connected = [...new Set(devices.map(({ provider }) => provider))];
  const [facts, busy, listed] = await Promise.all([
    listConnectionFacts(ctx.db, tenant, connected, since),
    listBusyRules(ctx.db, tenant),
    // On-device providers are the same in both environments, and the sandbox has no secret that could fail to decrypt.
    listProviders(ctx, 'sandbox'),
  ]);
  const countsOf = (id: string) => {
    const counts: Record<DeviceState, number> = {
      pending: 0,
      fresh: 0,
      late: 0,
      silent: 0,
      ended: 0,
      on_device: 0,
    };
    for (const { provider, state, devices: count } of devices) if (provider === id) counts[state] += count;
    return counts;
  };
  const cloud = await Promise.all(
    providers.map(async (provider): Promise<ProviderSummary> => {
      const { id, name, historyDays } = provider;
      const push = provider.push !== null;
      const byState = countsOf(id);
      const connections = byState.fresh + byState.late + byState.silent;
      const own = facts.find((one) => one.provider === id) ?? noFacts;
      const limitUsed = limitUsedOf(
        limitRulesOf(ctx.config, provider),
        connections,
        busy.filter((rule) => rule.provider === id),
      );
      const state = stateOf({ isSet: await isSet(ctx, tenant, provider), byState, limitUsed, facts: own });
      return {
        id,
        name,
        kind: 'cloud',
        push,
        historyDays,
        connections,
        byState,
        limitUsed,
        state,
        ...newsOf(own),
      };
    }),
  );
  const onPhones = listed.filter(({ status }) => status === 'on_device');
  const phones = onPhones.map(({ id, name, push, historyDays }): ProviderSummary => {
    const byState = countsOf(id);
    const connections = byState.on_device;
    const state = connections > 0 ? 'working' : 'available';
    return {
      id,
      name,
      kind: 'on_device',
      push,
      historyDays,
      connections,
      byState,
      state,
      limitUsed: null,
      ...noFacts,
    };
  });
  return [...cloud, ...phones];
}

const noFacts = { newestDataAt: null, ended: 0, firstEndedAt: null, failures: {} };

function newsOf({ newestDataAt, ended, firstEndedAt, failures }: Omit<ConnectionFacts, 'provider'>) {
  return { newestDataAt, ended, firstEndedAt, failures };
}

/** Returns whether the provider is configured. Secrets that cannot be decrypted count as missing. */
async function isSet(
  ctx: Pick<Context, 'db' | 'config' | 'keyring'>,
  { environment }: Tenant,
  provider: Provider,
): Promise<boolean> {
  try {
    return (await findApp(ctx, ctx.db, environment, provider)) !== null;
  } catch {
    return false;
  }
}

function stateOf(input: {
  isSet: boolean;
  byState: Record<DeviceState, number>;
  limitUsed: number | null;
  facts: Pick<ConnectionFacts, 'ended'>;
}): ProviderSummary['state'] {
  const { fresh, late, silent } = input.byState;
  const connections = fresh + late + silent;
  if (!input.isSet) return 'needs_credentials';
  const { ended } = input.facts;
  if (ended > 0 && ended >= endedShare * (connections + ended)) return 'refusing';
  if (connections === 0) return 'available';
  const isSlow = (input.limitUsed ?? 0) >= limitShare || late + silent >= lateShare * connections;
  return isSlow ? 'slow' : 'working';
}

/** Returns the used share of the fullest rate limit of the provider app, or null if it has none. */
function limitUsedOf(
  limits: readonly LimitRule[],
  people: number,
  busy: readonly { rule: number; seconds: number }[],
): number | null {
  const steps = limitStepsOf(limits, { person: 'someone', people: Math.max(1, people), priority: 'live' });
  const own = steps.filter(({ subject }) => subject === '');
  if (busy.some(({ rule }) => rule === -1)) return 1;
  if (own.length === 0) return null;
  const used = own.map(({ rule, burstSeconds }) => {
    const seconds = busy.find((one) => one.rule === rule)?.seconds ?? 0;
    return Math.min(1, seconds / burstSeconds);
  });
  return Math.round(Math.max(...used) * 1000) / 1000;
}
