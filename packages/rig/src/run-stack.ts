import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openPool } from '@tributary/server/testing/database';
import {
  ensureTemplate,
  type Role,
  type Stack,
  type StackNode,
  startStack,
  type StartStackOptions,
  type UnexpectedExit,
} from '@tributary/stack';
import { progress } from './report.ts';
import { shippedProgram } from './service-copy.ts';
import { findSharedStack } from './shared-stack.ts';

const run = promisify(execFile);

/** A stack of its own for one run, with the means to operate it. */
export interface RunStack extends AsyncDisposable {
  stack: Stack;
  /** The nodes that serve the API. */
  api: readonly StackNode[];
  encryptionKeys: string;
  /** A superuser's view of the database, behind no wall. */
  admin: ReturnType<typeof openPool>;
  /** Runs the `tributary` command and answers what it printed with --json. */
  tributary: <T>(...args: string[]) => Promise<T>;
}

export interface RunAccount {
  account_id: string;
  live_key: string;
  sandbox_key: string;
}

/** Another copy of the server, engines that run already, and who hears of a process that ended by itself. */
export interface RunStackOptions extends Pick<StartStackOptions, 'program' | 'existing'> {
  onUnexpectedExit?: (exit: UnexpectedExit) => void;
}

/** Starts that many api processes, or one process for each role, on private engines. */
export async function startRunStack(
  nodes: number | readonly Role[],
  env: NodeJS.ProcessEnv = {},
  { program = shippedProgram, existing = {}, onUnexpectedExit = failRun }: RunStackOptions = {},
): Promise<RunStack> {
  await using resources = new AsyncDisposableStack();
  const settings = { LOG_LEVEL: 'info', ...env };
  const shared = program === shippedProgram && Object.keys(existing).length === 0 ? findSharedStack() : null;
  const template = !shared && program === shippedProgram ? await openTemplate() : undefined;
  if (!shared) progress(`starting ${typeof nodes === 'number' ? `${nodes} nodes` : nodes.join(', ')}`);
  const stack = resources.use(
    shared ??
      (await startStack({
        ephemeral: true,
        ...(typeof nodes === 'number' ? { nodes } : { roles: nodes }),
        env: settings,
        program,
        existing,
        template,
        onUnexpectedExit,
      })),
  );
  const adminUrl = new URL(stack.engines.adminDatabaseUrl);
  adminUrl.pathname = '/tributary';
  const admin = resources.adopt(
    openPool({
      url: adminUrl.href,
      role: 'owner',
      max: 3,
      statementTimeoutMs: 600_000,
      applicationName: 'run',
    }),
    (pool) => pool.end(),
  );
  const commandEnv = {
    ...process.env,
    TRIBUTARY_ENV: 'development',
    DATABASE_URL: stack.engines.databaseUrl,
    NATS_URL: stack.engines.natsUrl,
    REDIS_URL: stack.engines.redisUrl,
    NODE_NO_WARNINGS: '1',
    ENCRYPTION_KEYS: stack.encryptionKeys,
    ...settings,
  };
  const owned = resources.move();
  return {
    stack,
    api: stack.nodes.filter(({ role }) => role === 'api' || role === 'all'),
    encryptionKeys: stack.encryptionKeys,
    admin,
    async tributary<T>(...args: string[]): Promise<T> {
      const { stdout } = await run(process.execPath, [program, ...args, '--json'], {
        env: commandEnv,
      });
      return JSON.parse(stdout) as T;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The migrated database that all stacks of a CI run start from. Without the variable every stack makes its own. */
export async function openTemplate(): Promise<string | undefined> {
  const template = process.env['STACK_TEMPLATE'];
  if (template) await ensureTemplate(template);
  return template || undefined;
}

function failRun({ name, reason, lastLines }: UnexpectedExit): void {
  process.exitCode = 1;
  progress(`${name} ended by itself: ${reason}\n${lastLines}`);
}

/** The samples that a node shows, by name and labels as printed. */
export async function readMetrics(node: StackNode): Promise<Map<string, number>> {
  const response = await fetch(node.metricsUrl);
  const samples = new Map<string, number>();
  for (const line of (await response.text()).split('\n')) {
    const at = line.lastIndexOf(' ');
    if (!line.startsWith('#') && at > 0) samples.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return samples;
}

/** Waits until every api node knows of all others, so that each takes its right share. */
export async function waitForPresence({ api }: RunStack): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const known = await Promise.all(
      api.map(async (node) => (await readMetrics(node)).get('tributary_live_nodes')),
    );
    if (known.every((count) => count === api.length)) return;
    await sleep(100);
  }
  throw new Error('the nodes did not find one another within 10 s');
}
