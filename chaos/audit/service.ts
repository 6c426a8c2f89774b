import { dirname, join } from 'node:path';
import type { RunStack } from '@tributary/rig';
import { Broker, testConfig, plainNats } from '@tributary/server/testing/service';
import type { hashEntry, verifyChain } from '@tributary/server/testing/audit';
import { openPool } from '@tributary/server/testing/database';

interface Verifying {
  verifyChain: typeof verifyChain;
}
interface Hashing {
  hashEntry: typeof hashEntry;
  beforeFirst: Buffer;
}

/** The parts of the service copy that the proof calls directly. */
export interface AuditParts extends AsyncDisposable {
  hashEntry: Hashing['hashEntry'];
  beforeFirst: Buffer;
  verify: (
    options?: Partial<Parameters<Verifying['verifyChain']>[1]>,
  ) => ReturnType<Verifying['verifyChain']>;
}

/** Loads them from the copy, including planted faults, and connects them to the engines of this run. */
export async function loadParts(program: string, run: RunStack): Promise<AuditParts> {
  const folder = join(dirname(program), 'services/audit');
  const verifying = (await import(join(folder, 'verify-chain.ts'))) as Verifying;
  const hashing = (await import(join(folder, 'hash-entry.ts'))) as Hashing;
  const { databaseUrl, natsUrl } = run.stack.engines;
  const config = testConfig({ DATABASE_URL: databaseUrl, NATS_URL: natsUrl });
  const broker = new Broker(plainNats(natsUrl), 'proof');
  const operator = openPool({
    url: databaseUrl,
    role: 'operator',
    max: 1,
    statementTimeoutMs: 30_000,
    applicationName: 'proof',
  });
  const ctx = { broker, config, operator, keyring: run.keyring };
  return {
    hashEntry: hashing.hashEntry,
    beforeFirst: hashing.beforeFirst,
    verify: (options = {}) => verifying.verifyChain(ctx, { accountId: null, ...options }),
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]();
      await operator.end();
    },
  };
}
