import { piecesOf, Told, type Span, type Stream } from '@tributary/providers';
import { findSeen, writeSeen } from '../../store/kept-documents.ts';
import { forgetSeen, keepDocuments, Memory } from './keep-documents.ts';
import { askForMissing, readDetails } from './look-for-lost.ts';
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
      await poll(ctx, run, name, { ...stream, read }, span);
      run.polled = [...run.polled.filter((part) => part.split('@')[0] !== name), name];
    });
    if (!goOn) return false;
  }
  return true;
}

type ReadableStream = Stream & Required<Pick<Stream, 'read'>>;

async function poll(
  ctx: SyncContext,
  run: Run,
  name: string,
  stream: ReadableStream,
  span: Span,
): Promise<void> {
  const { deviceId, isDeepDue } = run.connection;
  const memory = new Memory(await findSeen(ctx.operator, deviceId, stream.name));
  const listed = new Told();
  const findsLost = isDeepDue && stream.mapDeleted !== undefined;
  /** What began from here on is compared with what was listed. */
  let comparedMs: number | null = null;
  for (const { part, fromMs, toMs } of partsOf(name, stream, span)) {
    if (run.polled.includes(part)) continue;
    // What was listed of a part says nothing of its first day, which the part before is needed for: a run that goes on reads that day again.
    const endMs: number = comparedMs === null && toMs < span.toMs ? toMs + dayMs : toMs;
    for (const piece of piecesOf({ fromMs, toMs: endMs }, stream.pieceDays)) {
      const askedMs = ctx.clock.now();
      for await (const documents of stream.read(run.api, piece)) {
        run.documents += documents.length;
        if (findsLost) stream.map(documents, listed);
        const news = memory.newsOf(documents);
        // Nothing counts as known until the look has come to its end: what is kept now may be as it was before when a cut-off look goes on.
        if (news.length > 0)
          await keepDocuments(ctx, run, stream.name, { documents: news, askedMs }, (tx) =>
            forgetSeen(tx, run, stream.name),
          );
      }
    }
    if (findsLost) await askForMissing(ctx, run, stream, { fromMs, toMs: comparedMs ?? endMs }, listed);
    comparedMs = fromMs + dayMs;
    run.polled.push(part);
  }
  // Of a look in several runs this forgets what the earlier ones saw: it is kept again at the next one, and says the same.
  await keepDocuments(ctx, run, stream.name, { askedMs: 0 }, (tx) =>
    writeSeen(tx, run.connection, stream.name, memory.bytes()),
  );
  if (findsLost) await readDetails(ctx, run, stream, listed);
}

/** What a look reads in one go, newest first, each part with a name that it keeps while the look goes on. */
function partsOf(name: string, { lookDays }: Stream, span: Span): (Span & { part: string })[] {
  if (lookDays === undefined) return [{ ...span, part: `${name}@` }];
  const lengthMs = lookDays * dayMs;
  const parts = [];
  for (let no = Math.floor((span.toMs - 1) / lengthMs); (no + 1) * lengthMs > span.fromMs; no -= 1)
    parts.push({
      fromMs: Math.max(span.fromMs, no * lengthMs),
      toMs: Math.min(span.toMs, (no + 1) * lengthMs),
      part: `${name}@${no}`,
    });
  return parts;
}
