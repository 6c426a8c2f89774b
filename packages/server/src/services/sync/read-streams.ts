import { piecesOf, type Span, type Stream } from '@tributary/providers';
import { findSeen, writeSeen } from '../../store/kept-documents.ts';
import type { StoredNotice } from '../../store/sync-notices.ts';
import { forgetSeen, keepDocuments, Memory } from './keep-documents.ts';
import { attempt, isGranted, type Run, type SyncContext } from './run.ts';

const dayMs = 86_400_000;
/** How far a deep look goes back, which finds what came late or was changed and whose push got lost. */
const deepDays = 10;

/** Looks at every stream that can be read. False when the run had better end. */
export async function pollStreams(ctx: SyncContext, run: Run): Promise<boolean> {
  const { isDeepDue } = run.connection;
  for (const stream of run.provider.streams) {
    const { read } = stream;
    if (!read || !isGranted(run, stream)) continue;
    const days = isDeepDue ? Math.max(deepDays, stream.trailingDays) : stream.trailingDays;
    // A day ahead: somewhere it is tomorrow already.
    const span = { fromMs: run.startedMs - days * dayMs, toMs: run.startedMs + dayMs };
    const goOn = await attempt(ctx, run, stream.name, () => poll(ctx, run, { ...stream, read }, span));
    if (!goOn) return false;
  }
  return true;
}

type ReadableStream = Stream & Required<Pick<Stream, 'read'>>;

async function poll(ctx: SyncContext, run: Run, stream: ReadableStream, span: Span): Promise<void> {
  const memory = new Memory(await findSeen(ctx.operator, run.connection.deviceId, stream.name));
  for (const piece of piecesOf(span, stream.pieceDays)) {
    const askedMs = ctx.clock.now();
    for await (const documents of stream.read(run.api, piece)) {
      run.documents += documents.length;
      const news = memory.newsOf(documents);
      if (news.length > 0) await keepDocuments(ctx, run, stream.name, { documents: news, askedMs });
    }
  }
  await keepDocuments(ctx, run, stream.name, { askedMs: 0 }, (tx) =>
    writeSeen(tx, run.connection, stream.name, memory.bytes()),
  );
}

/** Reads what a push told of. */
export async function readNotice(ctx: SyncContext, run: Run, notice: StoredNotice): Promise<void> {
  const stream = run.provider.streams.find(({ name }) => name === notice.stream);
  if (!stream || !isGranted(run, stream)) return;
  const askedMs = ctx.clock.now();
  const keep = (kept: { documents?: readonly unknown[]; deleted?: readonly string[] }) => {
    run.documents += kept.documents?.length ?? 0;
    return keepDocuments(ctx, run, stream.name, { ...kept, askedMs }, (tx) =>
      forgetSeen(tx, run, stream.name),
    );
  };
  if (notice.kind === 'deleted') return keep({ deleted: [notice.id] });
  if (notice.kind === 'document') {
    const documents = await stream.readOne?.(run.api, notice.id);
    return documents?.length === 0 ? keep({ deleted: [notice.id] }) : keep({ documents: documents ?? [] });
  }
  for (const piece of piecesOf(notice, stream.pieceDays))
    for await (const documents of stream.read?.(run.api, piece) ?? []) await keep({ documents });
}
