import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { Loops } from '../loops.ts';
import { runIngestThread } from './run-ingest-thread.ts';

/** A program of a thread, which starts and reports a loop. */
function program(afterwards: string): URL {
  const code = `
    import { parentPort as port } from 'node:worker_threads';
    port.on('message', (request) => { if (request.kind === 'stop') port.close(); });
    port.postMessage({ kind: 'loops', ages: [['ingest', 0]] });
    port.postMessage({ kind: 'started' });
    ${afterwards}`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

function createContext() {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  return { log, loops: new Loops(), lines };
}

test('starts a thread again that fails, and reports its loops as silent in the meantime', async () => {
  const ctx = createContext();
  await using thread = await runIngestThread(
    ctx,
    program(`setTimeout(() => { throw new Error('out of order'); }, 100);`),
  );
  expect(thread.isRunning).toBe(true);
  await vi.waitFor(() => expect(thread.isRunning).toBe(false), { timeout: 5_000 });
  expect(await thread.readMetrics()).toEqual([]);
  const ageMs = ctx.loops.ages().get('ingest')!;
  await sleep(50);
  expect(ctx.loops.ages().get('ingest')).toBeGreaterThan(ageMs);
  await vi.waitFor(() => expect(thread.isRunning).toBe(true), { timeout: 10_000, interval: 5 });
  expect(ctx.lines.join('')).toMatch(/out of order[\s\S]*ended unexpectedly/);
});

test('stops a thread, and forgets its loops', async () => {
  const ctx = createContext();
  const thread = await runIngestThread(ctx, program(''));
  await thread[Symbol.asyncDispose]();
  expect(thread.isRunning).toBe(false);
  expect([...ctx.loops.ages()]).toEqual([]);
  expect(ctx.lines).toEqual([]);
});

test('stops while it waits to start a failing thread again', async () => {
  const ctx = createContext();
  const thread = await runIngestThread(ctx, program(`setTimeout(() => process.exit(1), 50);`));
  await vi.waitFor(() => expect(thread.isRunning).toBe(false), { timeout: 5_000 });
  await thread[Symbol.asyncDispose]();
  await sleep(1_000);
  expect(thread.isRunning).toBe(false);
});
