import { piecesOf } from '@tributary/providers';
import type { StoredNotice } from '../../store/connections/sync-notices.ts';
import { forgetSeen, storeDocuments, rememberSeen } from './store-documents.ts';
import { isGranted, type Run, type SyncContext } from './run.ts';

/** Reads the data that a push announced. */
export async function readNotice(ctx: SyncContext, run: Run, notice: StoredNotice): Promise<void> {
  const stream = run.provider.streams.find(({ name }) => name === notice.stream);
  if (!stream || !isGranted(run, stream)) return;
  const queriedAtMs = ctx.clock.now();
  const keep = (changes: { documents?: readonly unknown[]; deleted?: readonly string[] }) => {
    run.documents += changes.documents?.length ?? 0;
    return storeDocuments(ctx, run, stream.name, { ...changes, requestedAtMs: queriedAtMs }, (tx) =>
      stream.kind === 'detail' && notice.kind === 'document'
        ? rememberSeen(tx, run, stream.name, notice.id)
        : forgetSeen(tx, run, stream.name),
    );
  };
  if (notice.kind === 'deleted') return keep({ deleted: [notice.id] });
  if (notice.kind === 'document') {
    if (stream.readOne === null) return keep({});
    const documents = await stream.readOne(run.api, notice.id);
    return keep(documents.length === 0 ? { deleted: [notice.id] } : { documents });
  }
  if (stream.kind !== 'listed') return;
  for (const piece of piecesOf(notice, stream.pieceDays))
    for await (const documents of stream.read(run.api, piece)) await keep({ documents });
}
