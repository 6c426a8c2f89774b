/** The entry point of the token service process. */
import { findProvider, ProviderFailure } from '@tributary/providers';
import { systemClock, type Clock } from '../../clock.ts';
import { readConfig } from '../../config.ts';
import { createKeyring } from '../../credentials/keyring.ts';
import { createLog } from '../../log.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { openPool } from '../../store/database/database.ts';
import { findClockOffsetMs } from '../../store/database/durability.ts';
import { findApp } from '../providers/find-app.ts';
import type { RenewReply, RenewRequest } from './token-messages.ts';
import { renewTokens } from './renew-tokens.ts';

/** As many as a node syncs concurrently, so that a slow provider does not block others. Opened on demand. */
const connections = 10;
/** The time that a provider's response and the commit may take. */
const longestFinishMs = 45_000;

const config = readConfig();
const log = createLog(config, 'token-service');
const keyring = createKeyring(config.secrets.encryptionKeys);
const outbound = createOutbound({ allow: config.outbound.allow });
const operator = openPool({
  url: config.secrets.databaseOperatorUrl,
  role: 'operator',
  max: connections,
  statementTimeoutMs: config.database.statementTimeoutMs,
  namedStatements: config.database.preparedStatements,
  applicationName: `tributary-tokens-${config.nodeName}`,
});
const underWay = new Set<Promise<void>>();
let isLeaving = false;

// The process ends with its node and not before. A signal to all processes of a service must not interrupt a refresh.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (request: RenewRequest) => {
  if (isLeaving) return;
  const work = respond(request).finally(() => underWay.delete(work));
  underWay.add(work);
});
process.once('disconnect', () => void leave());
if (!process.connected) void leave();

async function respond({ ticket, ...wanted }: RenewRequest): Promise<void> {
  const failure = await renew(wanted).then(() => null, describeFailure);
  // If the node is gone, its successor reads the outcome from the database.
  if (process.connected)
    process.send?.({ ticket, failure } satisfies RenewReply, undefined, undefined, () => {});
}

async function renew({ deviceId, seenVersion }: Omit<RenewRequest, 'ticket'>): Promise<void> {
  const connection = await findConnection(operator, deviceId);
  if (!connection) throw new ProviderFailure('consent_ended', 'the connection has ended');
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp({ config, keyring }, operator, connection.environment, provider));
  if (!app) throw new ProviderFailure('unavailable', 'the provider is no longer configured');
  const access = { environment: connection.environment, provider, app };
  await renewTokens({ operator, outbound, keyring, clock: await readClock() }, access, deviceId, seenVersion);
}

/** The current offset is enough: tests do not move the clock during a refresh. */
async function readClock(): Promise<Clock> {
  if (!config.testClock) return systemClock;
  const offsetMs = await findClockOffsetMs(operator);
  return { now: () => Date.now() + offsetMs };
}

function describeFailure(error: unknown): RenewReply['failure'] {
  if (error instanceof ProviderFailure) {
    const { kind, message, retryAtMs } = error;
    return { kind, message, retryAtMs };
  }
  log.error({ err: error }, 'failed to renew tokens');
  return 'unexpected';
}

/** Finishes the running refreshes, up to a time limit, and exits. */
async function leave(): Promise<void> {
  isLeaving = true;
  setTimeout(() => {
    log.error('a token refresh did not finish in time');
    process.exit(1);
  }, longestFinishMs).unref();
  await Promise.all(underWay);
  process.exit();
}
