import { dayMs } from '@tributary/domain';
import { piecesOf, BatchBuilder, type ListedStream, type Span, type Stream } from '@tributary/providers';
import { findSeen, writeSeen } from '../../store/connections/retained-documents.ts';
import { addProgress, hasRead, type StreamProgress } from '../../store/connections/poll-progress.ts';
import { forgetSeen, storeDocuments, Memory } from './store-documents.ts';
import { recheckMissingDocuments, readDetails } from './recheck-missing.ts';
import { attempt, isGranted, type Run, type SyncContext } from './run.ts';

/** Days covered by a deep poll, which finds late or changed data whose push was lost. */
export const deepDays = 10;

/** Polls every readable stream, except those that an interrupted poll already covered. Returns false if the run should end. */
export async function pollStreams(ctx: SyncContext, run: Run): Promise<boolean> {
  const { isDeepDue } = run.connection;
  for (const stream of run.provider.streams) {
    const target = targetOf(run, stream);
    if (stream.kind !== 'listed' || !isGranted(run, stream) || hasRead(run.progress, target, 'all')) continue;
    const days = isDeepDue ? Math.max(deepDays, stream.trailingDays) : stream.trailingDays;
    // One day ahead, because it is already tomorrow in some time zones.
    const span = { fromMs: run.startedMs - days * dayMs, toMs: run.startedMs + dayMs };
    const goOn = await attempt(ctx, run, stream.name, async () => {
      await poll(ctx, run, stream, span);
      run.progress = addProgress(run.progress, { ...target, parts: 'all' });
    });
    if (!goOn) return false;
  }
  return true;
}

function targetOf({ connection }: Run, { name }: Stream): Omit<StreamProgress, 'parts'> {
  return { stream: name, depth: connection.isDeepDue ? 'deep' : 'short' };
}

async function poll(ctx: SyncContext, run: Run, stream: ListedStream, span: Span): Promise<void> {
  const { deviceId, isDeepDue } = run.connection;
  const target = targetOf(run, stream);
  const memory = new Memory(await findSeen(ctx.operator, deviceId, stream.name));
  const listed = new BatchBuilder();
  const findsLost = isDeepDue && stream.deletes.length > 0;
  /** Documents that start at or after this time are already compared with the listed ones. */
  let comparedMs: number | null = null;
  for (const { part, fromMs, toMs } of partsOf(stream, span)) {
    if (hasRead(run.progress, target, part)) continue;
    // The documents listed for a part do not cover its first day, which requires the previous part. A resumed run reads that day again.
    const endMs: number = comparedMs === null && toMs < span.toMs ? toMs + dayMs : toMs;
    for (const piece of piecesOf({ fromMs, toMs: endMs }, stream.pieceDays)) {
      const queriedAtMs = ctx.clock.now();
      for await (const documents of stream.read(run.api, piece)) {
        run.documents += documents.length;
        if (findsLost) stream.map(documents, listed);
        const news = memory.newsOf(documents);
        // Clear the seen documents until the poll is complete. A document stored now may have changed back by the time an interrupted poll resumes.
        if (news.length > 0)
          await storeDocuments(ctx, run, stream.name, { documents: news, requestedAtMs: queriedAtMs }, (tx) =>
            forgetSeen(tx, run, stream.name),
          );
      }
    }
    if (findsLost)
      await recheckMissingDocuments(ctx, run, stream, { fromMs, toMs: comparedMs ?? endMs }, listed);
    comparedMs = fromMs + dayMs;
    run.progress = addProgress(run.progress, { ...target, parts: [part] });
  }
  // If a poll takes several runs, this drops what the earlier runs saw. The next poll stores those documents again without changing any value.
  await storeDocuments(ctx, run, stream.name, { requestedAtMs: 0 }, (tx) =>
    writeSeen(tx, run.connection, stream.name, memory.bytes()),
  );
  if (findsLost) await readDetails(ctx, run, stream, listed);
}

/** The parts that a poll reads one at a time, newest first. Each part keeps its number while the poll continues. */
function partsOf({ daysPerRead }: ListedStream, span: Span): (Span & { part: number })[] {
  if (daysPerRead === undefined) return [{ ...span, part: 0 }];
  const lengthMs = daysPerRead * dayMs;
  const parts = [];
  for (let no = Math.floor((span.toMs - 1) / lengthMs); (no + 1) * lengthMs > span.fromMs; no -= 1)
    parts.push({
      fromMs: Math.max(span.fromMs, no * lengthMs),
      toMs: Math.min(span.toMs, (no + 1) * lengthMs),
      part: no,
    });
  return parts;
}
