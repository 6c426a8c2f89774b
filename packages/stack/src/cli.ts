import { lstatSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { HELP, parseArguments, type Arguments } from './cli/arguments.ts';
import { renderUnexpectedExit } from './processes/child.ts';
import { ensureDashboardBuilt } from './service/dashboard-build.ts';
import { StackError } from './errors.ts';
import { paintFor, renderGreeting, renderProgress } from './cli/greeting.ts';
import type { Progress } from './cli/progress.ts';
import { startStack, type Stack } from './stack.ts';

// npm forwards a signal that the terminal also sends to this process, so one Ctrl-C can arrive twice.
const SAME_KEYSTROKE_MS = 700;

const INTERRUPTED = 130;

const paint = paintFor(process.stderr);

function print(text: string): void {
  process.stderr.write(text);
}

async function main(args: Arguments): Promise<number> {
  const begin = performance.now();
  const stop = new AbortController();
  const hurry = new AbortController();
  let exitCode = 0;
  let begun = false;
  let ready = false;
  let stopRequestedAt: number | undefined;

  const requestStop = (): void => {
    const again = stopRequestedAt !== undefined && performance.now() - stopRequestedAt > SAME_KEYSTROKE_MS;
    stopRequestedAt ??= performance.now();
    if (again) hurry.abort();
    stop.abort();
  };
  const fail = (message: string): void => {
    if (stop.signal.aborted) return;
    print(`\n${paint('red', ready ? 'Tributary stopped.' : 'Tributary did not start.')} ${message}\n`);
    exitCode = 1;
    stop.abort();
  };
  process.on('SIGINT', requestStop).on('SIGTERM', requestStop);
  // Node does not preserve the ignored SIGHUP of nohup, so it is ignored here when there is no terminal.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGHUP', hasTerminal ? requestStop : () => {});
  process.on('uncaughtException', (error) => fail(error.stack ?? error.message));
  // The reader has closed its end of the pipe.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop.abort());

  const onProgress = (progress: Progress): void => {
    if (!begun) print(`${paint('bold', 'Starting Tributary')}\n`);
    begun = true;
    print(renderProgress(progress, paint));
  };

  let stack: Stack;
  try {
    await ensureDashboardBuilt(onProgress);
    stack = await startStack({
      ...args,
      existing: existingEngines(process.env),
      // The default of several minutes is too long for trying the service out.
      env: { SCORE_DEBOUNCE_SECONDS: process.env['SCORE_DEBOUNCE_SECONDS'] ?? '2' },
      onProgress,
      onUnexpectedExit: (exit) => fail(renderUnexpectedExit(exit)),
      signal: stop.signal,
      hurry: hurry.signal,
    });
  } catch (error) {
    if (stop.signal.aborted) {
      print('Stopped before Tributary was ready.\n');
      return exitCode || INTERRUPTED;
    }
    fail(error instanceof StackError ? error.message : String(error instanceof Error ? error.stack : error));
    return 1;
  }
  ready = true;
  print(
    renderProgress({ step: 'Ready', detail: '', state: 'done', elapsedMs: performance.now() - begin }, paint),
  );
  if (args.json) process.stdout.write(`${JSON.stringify(stack.info)}\n`);
  else greet(stack, args);

  await aborted(stop.signal);
  print('\nStopping …\n');
  try {
    await stack.stop();
  } catch (error) {
    print(`Cleanup failed: ${String(error)}\n`);
    return 1;
  }
  print('All processes have stopped.\n');
  return exitCode;
}

function greet({ info, dir }: Stack, { ephemeral }: Arguments): void {
  const shown = ephemeral ? dir : relative(process.cwd(), dir) || '.';
  const place = { dir: shown, ephemeral, database: linkTarget(join(dir, 'postgres')) };
  process.stdout.write(renderGreeting(info, place, paintFor(process.stdout)));
}

function linkTarget(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

function existingEngines({ DATABASE_URL, NATS_URL, REDIS_URL, SMTP_URL, LAB_URL }: NodeJS.ProcessEnv) {
  return {
    databaseUrl: DATABASE_URL || undefined,
    natsUrl: NATS_URL || undefined,
    redisUrl: REDIS_URL || undefined,
    smtpUrl: SMTP_URL || undefined,
    labUrl: LAB_URL || undefined,
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

const parsed = parseArguments(process.argv.slice(2));
if (!parsed.ok) {
  print(`${parsed.message}\nSee npm run stack -- --help\n`);
  process.exitCode = 2;
} else if (parsed.value.help) {
  process.stdout.write(HELP);
} else {
  process.exit(await main(parsed.value));
}
