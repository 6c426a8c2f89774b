import type { PushState } from '@tributary/providers';
import { inTransaction } from '../../store/database.ts';
import { findPushSetUp, writePushSetUp } from '../../store/provider-apps.ts';
import type { Environment } from '../../store/tenant.ts';
import { openAppApi, type ProviderAccess } from '../providers/open-api.ts';
import { pushUrlOf } from '../providers/push-address.ts';
import type { SyncContext } from './run.ts';

/** How often a set-up that stands is looked at: it may have been dropped, or be near its end. */
const checkEveryMs = 6 * 3_600_000;

/** What the remembered state of a set-up is bound to. */
export const setUpSeal = (environment: Environment, provider: string) =>
  `push-set-up/${environment}/${provider}`;

/** What is sealed of a set-up. */
interface SetUp {
  /** Where the provider was told to push to: another application, or another address of ours, has another. */
  url: string;
  state: PushState;
}

/** What was remembered of how pushes were set up. */
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
  const found = await findPushSetUp(db, environment, provider);
  if (!found?.sealed) return null;
  const setUp = JSON.parse(
    ctx.keyring.decrypt(found.sealed, setUpSeal(environment, provider)).toString(),
  ) as SetUp;
  return { ...setUp, checkedMs: Date.parse(found.checkedAt) };
}

/**
 * Has the provider push to us, unless that was seen to lately. One node at a time. A failure is no reason to stop anything, since
 * polling goes on; it is tried again at the next look.
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
      const kept: SetUp = { url, state };
      const sealed = ctx.keyring.encrypt(Buffer.from(JSON.stringify(kept)), setUpSeal(environment, id));
      await writePushSetUp(tx, environment, id, sealed);
    });
  } catch (error) {
    ctx.log.warn({ err: error, provider: id, environment }, 'pushes could not be set up');
  }
}
