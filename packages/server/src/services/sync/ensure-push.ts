import { hourMs } from '@tributary/domain';
import type { PushState } from '@tributary/providers';
import { inTransaction } from '../../store/database/database.ts';
import { findPushSetUp, writePushSetUp } from '../../store/connections/provider-apps.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { openAppApi, type ProviderAccess } from '../providers/open-api.ts';
import { pushUrlOf } from '../providers/push-address.ts';
import type { SyncContext } from './run.ts';

/** How often an existing setup is checked. The provider may have dropped it, or it may be about to expire. */
const checkEveryMs = 6 * hourMs;

/** The encryption context of the stored setup. */
export const setUpSeal = (environment: Environment, provider: string) =>
  `push-set-up/${environment}/${provider}`;

/** The encrypted part of a setup. */
interface SetUp {
  /** The URL to which the provider pushes. It changes with the provider app and with our public URL. */
  url: string;
  state: PushState;
}

/** Returns the stored state of the push setup. */
export async function readPushState(
  ctx: Pick<SyncContext, 'keyring'>,
  db: Parameters<typeof findPushSetUp>[0],
  environment: Environment,
  provider: string,
): Promise<PushState> {
  return (await readSetUp(ctx, db, environment, provider))?.state ?? {};
}

async function readSetUp(
  ctx: Pick<SyncContext, 'keyring'>,
  db: Parameters<typeof findPushSetUp>[0],
  environment: Environment,
  provider: string,
): Promise<(SetUp & { checkedMs: number }) | null> {
  const row = await findPushSetUp(db, environment, provider);
  if (!row?.sealed) return null;
  const setUp = JSON.parse(
    ctx.keyring.decrypt(row.sealed, setUpSeal(environment, provider)).toString(),
  ) as SetUp;
  return { ...setUp, checkedMs: Date.parse(row.checkedAt) };
}

/**
 * Sets up pushes at the provider, unless the setup was checked recently. Runs on one node at a time. A failure stops nothing, because polling
 * continues, and the next check retries it.
 */
export async function ensurePush(ctx: SyncContext, access: ProviderAccess): Promise<void> {
  const { provider, environment, app } = access;
  const { id, push } = provider;
  if (!push?.setUp) return;
  const { setUp } = push;
  try {
    await inTransaction(ctx.operator, async (tx) => {
      const locked = await tx.query<{ locked: boolean }>({
        text: `SELECT pg_try_advisory_xact_lock(hashtextextended('push:' || $1 || ':' || $2, 0)) AS locked`,
        values: [environment, id],
      });
      const before = await readSetUp(ctx, tx, environment, id);
      const url = pushUrlOf(ctx, environment, id, app);
      const isRecent = before?.url === url && ctx.clock.now() - before.checkedMs < checkEveryMs;
      if (!locked.rows[0]!.locked || isRecent) return;
      const state = await setUp(openAppApi(ctx, access), { url, state: before?.state ?? {} });
      const newSetUp: SetUp = { url, state };
      const sealed = ctx.keyring.encrypt(Buffer.from(JSON.stringify(newSetUp)), setUpSeal(environment, id));
      await writePushSetUp(tx, environment, id, sealed);
    });
  } catch (error) {
    ctx.log.warn({ err: error, provider: id, environment }, 'failed to set up pushes');
  }
}
