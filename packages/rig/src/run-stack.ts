import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createKeyring, type Keyring } from '@tributary/server/testing/credentials';
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

/** A private stack for one run, with the means to operate it. */
export interface RunStack extends AsyncDisposable {
  stack: Stack;
  /** The nodes that serve the API. */
  api: readonly StackNode[];
  /** The keys with which the service under test encrypts stored secrets. */
  keyring: Keyring;
  /** A superuser's database pool, which bypasses row-level security. */
  admin: ReturnType<typeof openPool>;
  /** Runs the `tributary` command with --json and returns its parsed output. */
  tributary: <T>(...args: string[]) => Promise<T>;
}

export interface RunAccount {
  account_id: string;
  live_key: string;
  sandbox_key: string;
}

/** Another copy of the server, existing engines, and a callback for unexpected exits. */
export interface RunStackOptions extends Pick<StartStackOptions, 'program' | 'isOtherVersion' | 'existing'> {
  onUnexpectedExit?: (exit: UnexpectedExit) => void;
}

/** Starts this number of api processes, or one process for each role, on private engines. */
export async function startRunStack(
  nodes: number | readonly Role[],
  env: NodeJS.ProcessEnv = {},
  {
    program = shippedProgram,
    isOtherVersion = false,
    existing = {},
    onUnexpectedExit = failRun,
  }: RunStackOptions = {},
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
        isOtherVersion,
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
    keyring: openKeyring(stack.encryptionKeys),
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

/** Parses `<version>:<base64>`, the format in which a stack writes its only key. */
function openKeyring(encryptionKeys: string): Keyring {
  const [version = '', key = ''] = encryptionKeys.split(':');
  return createKeyring([{ version: Number(version), key: Buffer.from(key, 'base64') }]);
}

/** The migrated database that all stacks of a CI run start from. Without the variable, every stack creates its own. */
async function openTemplate(): Promise<string | undefined> {
  const template = process.env['STACK_TEMPLATE'];
  if (template) await ensureTemplate(template);
  return template || undefined;
}

function failRun({ name, reason, lastLines }: UnexpectedExit): void {
  process.exitCode = 1;
  progress(`${name} exited unexpectedly: ${reason}\n${lastLines}`);
}

/** The samples that a node exports, by name and labels as printed. */
export async function readMetrics(node: StackNode): Promise<Map<string, number>> {
  const response = await fetch(node.metricsUrl);
  const samples = new Map<string, number>();
  for (const line of (await response.text()).split('\n')) {
    const at = line.lastIndexOf(' ');
    if (!line.startsWith('#') && at > 0) samples.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return samples;
}

/** Waits until every api node knows all others, so that each takes its share of the rate limit. */
export async function waitForPresence({ api }: RunStack): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const known = await Promise.all(
      api.map(async (node) => (await readMetrics(node)).get('tributary_live_nodes')),
    );
    if (known.every((count) => count === api.length)) return;
    await sleep(100);
  }
  throw new Error('The nodes did not discover one another within 10 s.');
}
