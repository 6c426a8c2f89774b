import { piecesOf, Told, type Span, type Stream } from '@tributary/providers';
import { findSeen, writeSeen } from '../../store/kept-documents.ts';
import { keepDocuments, Memory } from './keep-documents.ts';
import { lookForLost } from './look-for-lost.ts';
import { attempt, isGranted, type Run, type SyncContext } from './run.ts';

const dayMs = 86_400_000;
/** How far a deep look goes back, which finds what came late or was changed and whose push got lost. */
export const deepDays = 10;

/** Looks at every stream that can be read, but for those that a poll which was cut off has looked at. False when the run had better end. */
export async function pollStreams(ctx: SyncContext, run: Run): Promise<boolean> {
  const { isDeepDue } = run.connection;
  for (const stream of run.provider.streams) {
    const { read } = stream;
    // What a short look has seen, a deep one has not.
    const name = isDeepDue ? `deep ${stream.name}` : stream.name;
    if (!read || !isGranted(run, stream) || run.polled.includes(name)) continue;
    const days = isDeepDue ? Math.max(deepDays, stream.trailingDays) : stream.trailingDays;
    // A day ahead: somewhere it is tomorrow already.
    const span = { fromMs: run.startedMs - days * dayMs, toMs: run.startedMs + dayMs };
    const goOn = await attempt(ctx, run, stream.name, async () => {
      await poll(ctx, run, { ...stream, read }, span);
      run.polled.push(name);
    });
    if (!goOn) return false;
  }
  return true;
}

type ReadableStream = Stream & Required<Pick<Stream, 'read'>>;

async function poll(ctx: SyncContext, run: Run, stream: ReadableStream, span: Span): Promise<void> {
  const memory = new Memory(await findSeen(ctx.operator, run.connection.deviceId, stream.name));
  const listed = new Told();
  for (const piece of piecesOf(span, stream.pieceDays)) {
    const askedMs = ctx.clock.now();
    for await (const documents of stream.read(run.api, piece)) {
      run.documents += documents.length;
      if (run.connection.isDeepDue && stream.mapDeleted) stream.map(documents, listed);
      const news = memory.newsOf(documents);
      if (news.length > 0) await keepDocuments(ctx, run, stream.name, { documents: news, askedMs });
    }
  }
  await keepDocuments(ctx, run, stream.name, { askedMs: 0 }, (tx) =>
    writeSeen(tx, run.connection, stream.name, memory.bytes()),
  );
  if (run.connection.isDeepDue && stream.mapDeleted) await lookForLost(ctx, run, stream, span, listed);
}
