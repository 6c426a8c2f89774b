import { dayMs } from '@tributary/domain';
import type { BatchBuilder, ListedStream, Span } from '@tributary/providers';
import { listSessionIds } from '../../store/layers/device-sessions.ts';
import { findSeen, writeSeen } from '../../store/connections/retained-documents.ts';
import { storeDocuments, Memory } from './store-documents.ts';
import { readNotice } from './read-notice.ts';
import { attempt, isGranted, type Run, type SyncContext } from './run.ts';

/** Reads stored documents of a span that the provider no longer lists, because a push about their deletion was lost. */
export async function recheckMissingDocuments(
  ctx: SyncContext,
  run: Run,
  stream: ListedStream,
  { fromMs, toMs }: Span,
  { lists }: BatchBuilder,
): Promise<void> {
  for (const [kind, list] of [
    ['sleep', lists.sleep],
    ['workout', lists.workouts],
  ] as const) {
    if (!stream.deletes.includes(kind)) continue;
    // Documents that start at least a day into the span were listed, whichever time zone the provider uses.
    const storedIds = await listSessionIds(ctx.operator, kind, run.connection, {
      fromMs: fromMs + dayMs,
      toMs,
    });
    const known = new Set(list.map(({ id }) => id));
    for (const id of storedIds)
      if (!known.has(id)) await readNotice(ctx, run, { kind: 'document', stream: stream.name, id });
  }
}

/** Reads the details of listed documents that ended since the consent and that no push has announced. */
export async function readDetails(
  ctx: SyncContext,
  run: Run,
  { name }: ListedStream,
  { lists }: BatchBuilder,
): Promise<void> {
  const { connection } = run;
  const recent = [...lists.sleep, ...lists.workouts].filter(
    ({ end }) => Date.parse(end) >= connection.authorizedMs,
  );
  for (const detail of run.provider.streams) {
    if (detail.kind !== 'detail' || detail.detailOf !== name || !isGranted(run, detail)) continue;
    const memory = new Memory(await findSeen(ctx.operator, connection.deviceId, detail.name));
    const unread = memory.newsOf(recent.map(({ id }) => id)) as readonly string[];
    await attempt(ctx, run, detail.name, async () => {
      for (const id of unread) await readNotice(ctx, run, { kind: 'document', stream: detail.name, id });
      // Only documents that can still be listed have to be stored as seen.
      await storeDocuments(ctx, run, detail.name, { requestedAtMs: 0 }, (tx) =>
        writeSeen(tx, connection, detail.name, memory.bytes()),
      );
    });
  }
}
