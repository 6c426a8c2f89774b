import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { Command, Ended } from './cli-shell.ts';
import type { TestApp } from '../apps/test-app.ts';

export type { Ended } from './cli-shell.ts';

let shell: ChildProcess | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Runs the command line on a test's database, as an operator does. */
export function cliOf(app: TestApp) {
  const tributary = (args: string[], env: Record<string, string> = {}): Promise<Ended> => {
    const settings = {
      PATH: process.env['PATH']!,
      TRIBUTARY_ENV: 'development',
      DATABASE_URL: app.ctx.config.secrets.database.service.url.read(),
      AUDIT_NAME: app.ctx.config.audit.name,
      NATS_URL: inject('engines').natsUrl,
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...env,
    };
    const ended = queue.then(() => runInShell({ args, env: settings }));
    queue = ended.catch(() => {});
    return ended;
  };
  return {
    tributary,
    json: async (...args: string[]) => JSON.parse((await tributary([...args, '--json'])).stdout),
  };
}

async function runInShell(command: Command): Promise<Ended> {
  shell ??= openShell();
  shell.send(command);
  const over = new AbortController();
  try {
    const crashed = once(shell, 'exit', over).then(([code]) => {
      throw new Error(`the process that runs commands ended with ${code}`);
    });
    const [ended] = await Promise.race([once(shell, 'message', over), crashed]);
    return ended as Ended;
  } finally {
    over.abort();
  }
}

/** Ends with the test process. */
function openShell(): ChildProcess {
  const opened = fork(fileURLToPath(new URL('cli-shell.ts', import.meta.url)), { execArgv: [] });
  opened.once('exit', () => (shell = undefined));
  opened.unref();
  opened.channel?.unref();
  return opened;
}
