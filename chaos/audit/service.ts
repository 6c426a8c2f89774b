import { dirname, join } from 'node:path';
import type { RunStack } from '@tributary/rig';
import { Broker, testConfig } from '@tributary/server/testing/service';
import { createKeyring } from '@tributary/server/testing/credentials';
import type { hashEntry, verifyChain } from '@tributary/server/testing/audit';
import { openPool } from '@tributary/server/testing/database';

interface Verifying {
  verifyChain: typeof verifyChain;
}
interface Hashing {
  hashEntry: typeof hashEntry;
  beforeFirst: Buffer;
}

/** The parts of a copy of the service that the proof itself calls. */
export interface AuditParts extends AsyncDisposable {
  hashEntry: Hashing['hashEntry'];
  beforeFirst: Buffer;
  verify: (
    options?: Partial<Parameters<Verifying['verifyChain']>[1]>,
  ) => ReturnType<Verifying['verifyChain']>;
}

/** Loads them from the copy, faults and all, to be used on the engines of this run. */
export async function loadParts(program: string, run: RunStack): Promise<AuditParts> {
  const folder = join(dirname(program), 'services/audit');
  const verifying = (await import(join(folder, 'verify-chain.ts'))) as Verifying;
  const hashing = (await import(join(folder, 'hash-entry.ts'))) as Hashing;
  const { databaseUrl, natsUrl } = run.stack.engines;
  const config = testConfig({ DATABASE_URL: databaseUrl, NATS_URL: natsUrl });
  const key = Buffer.from(run.encryptionKeys.replace(/^1:/, ''), 'base64');
  const broker = new Broker(natsUrl, 'proof');
  const operator = openPool({
    url: databaseUrl,
    role: 'operator',
    max: 1,
    statementTimeoutMs: 30_000,
    applicationName: 'proof',
  });
  const ctx = { broker, config, operator, keyring: createKeyring([{ version: 1, key }]) };
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
