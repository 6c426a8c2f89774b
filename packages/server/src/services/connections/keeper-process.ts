/** The program of the token keeper: see `token-keeper.ts`, which starts it. */
import { findProvider, ProviderFailure } from '@tributary/providers';
import { systemClock, type Clock } from '../../clock.ts';
import { readConfig } from '../../config.ts';
import { createKeyring } from '../../credentials/keyring.ts';
import { createLog } from '../../log.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { findConnection } from '../../store/connections.ts';
import { openPool } from '../../store/database.ts';
import { findClockOffsetMs } from '../../store/durability.ts';
import { findApp } from '../providers/find-app.ts';
import type { RenewAnswer, RenewRequest } from './keeper-messages.ts';
import { renewTokens } from './renew-tokens.ts';

/** As many as a node reads at once, so that a provider that dawdles holds up no other. They are opened when needed. */
const connections = 10;
/** What a provider may take to answer, and the database to commit. */
const longestFinishMs = 45_000;

const config = readConfig();
const log = createLog(config, 'keeper');
const keyring = createKeyring(config.secrets.encryptionKeys);
const outbound = createOutbound({ allow: config.outbound.allow });
const operator = openPool({
  url: config.secrets.databaseUrl,
  role: 'operator',
  max: connections,
  statementTimeoutMs: config.database.statementTimeoutMs,
  applicationName: `tributary-keeper-${config.nodeName}`,
});
const underWay = new Set<Promise<void>>();
let isLeaving = false;

// It ends with its node, and not before: whoever signals all processes of a service shall not cut a refresh off.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (request: RenewRequest) => {
  if (isLeaving) return;
  const work = answer(request).finally(() => underWay.delete(work));
  underWay.add(work);
});
process.once('disconnect', () => void leave());
if (!process.connected) void leave();

async function answer({ ticket, ...wanted }: RenewRequest): Promise<void> {
  const failure = await renew(wanted).then(() => null, describeFailure);
  // A node that is gone reads the outcome in the database, as everybody does.
  if (process.connected)
    process.send?.({ ticket, failure } satisfies RenewAnswer, undefined, undefined, () => {});
}

async function renew({ deviceId, seenVersion }: Omit<RenewRequest, 'ticket'>): Promise<void> {
  const connection = await findConnection(operator, deviceId);
  if (!connection) throw new ProviderFailure('consent_ended', 'the connection is over');
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp({ config, keyring }, operator, connection.environment, provider));
  if (!app) throw new ProviderFailure('unavailable', 'the provider is not configured any more');
  const access = { environment: connection.environment, provider, app };
  await renewTokens({ operator, outbound, keyring, clock: await readClock() }, access, deviceId, seenVersion);
}

/** The time as of now: one refresh is too short for tests to move it meanwhile. */
async function readClock(): Promise<Clock> {
  if (!config.testClock) return systemClock;
  const offsetMs = await findClockOffsetMs(operator);
  return { now: () => Date.now() + offsetMs };
}

function describeFailure(error: unknown): RenewAnswer['failure'] {
  if (error instanceof ProviderFailure) {
    const { kind, message, retryAtMs } = error;
    return { kind, message, retryAtMs };
  }
  log.error({ err: error }, 'tokens could not be renewed');
  return 'unexpected';
}

/** Finishes what was begun, within bounds, and ends. */
async function leave(): Promise<void> {
  isLeaving = true;
  setTimeout(() => {
    log.error('a refresh did not end in time');
    process.exit(1);
  }, longestFinishMs).unref();
  await Promise.all(underWay);
  process.exit();
}
