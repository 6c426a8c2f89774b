import { parentPort } from 'node:worker_threads';
import { readConfig } from '../config.ts';
import { createContext } from '../create-context.ts';
import { createLog } from '../log.ts';
import { lowerPriority } from '../lower-priority.ts';
import { runIngest } from './run-ingest.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';

const reportEveryMs = 1_000;

lowerPriority();
const port = parentPort!;
const reply = (message: ThreadReply) => port.postMessage(message);
const stop = Promise.withResolvers<void>();

const config = readConfig();
const log = createLog(config, 'ingest');
await using parts = new AsyncDisposableStack();
const ctx = parts.use(await createContext(config, 'ingest', log));
port.on('message', (request: ThreadRequest) => {
  if (request.kind === 'stop') stop.resolve();
  else
    void ctx.metrics.registry
      .getMetricsAsJSON()
      .then((metrics) => reply({ kind: 'metrics', ticket: request.ticket, metrics }));
});
parts.use(await runIngest(ctx));
const reportLoops = () => reply({ kind: 'loops', ages: [...ctx.loops.ages()] });
const timer = setInterval(reportLoops, reportEveryMs);
parts.defer(() => clearInterval(timer));
reportLoops();
reply({ kind: 'started' });

await stop.promise;
port.close(); // the thread ends once its parts are disposed of
