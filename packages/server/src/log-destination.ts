import { pino, type DestinationStream } from 'pino';

/** The message of the line that each request gets. */
export const requestMessage = 'request';

/** Lines of requests are written together, because a system call for each would cost as much as a small request. */
const flushAfterMs = 250;
const mostCharacters = 16_384;

/** Standard error. Lines of requests are delayed a little, and every other line is written at once, after those before it. */
export function createLogDestination(
  out: Pick<DestinationStream, 'write'> = pino.destination({ dest: 2, sync: true }),
): DestinationStream {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    out.write(waiting);
    waiting = '';
  };
  process.once('exit', flush);
  return {
    /** Makes pino set `lastMsg` before each line. */
    [pino.symbols.needsMetadataGsym]: true,
    lastMsg: '',
    write(line: string): void {
      waiting += line;
      if (this.lastMsg !== requestMessage || waiting.length > mostCharacters) flush();
      else timer ??= setTimeout(flush, flushAfterMs).unref();
    },
  } as DestinationStream & { lastMsg: string };
}
