import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface StackInfo {
  base_url: string;
  owner_url: string;
  mail_url: string;
  sandbox_key: string;
  live_key: string;
}

export interface RunningStack extends AsyncDisposable {
  info: StackInfo;
}

/** Runs the whole service for a test. */
export async function runStack(): Promise<RunningStack> {
  const stack = spawn(process.execPath, ['packages/stack/src/cli.ts', '--ephemeral', '--json'], {
    cwd: join(import.meta.dirname, '../../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    // The test runner sets another NODE_ENV, which would include React's warnings in the dashboard build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  stack.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = once(stack, 'exit').then(() => Promise.reject(new Error(output)));
  ended.catch(() => {}); // reported to the caller that waits for the line
  const [line] = (await Promise.race([once(createInterface(stack.stdout), 'line'), ended])) as [string];
  return {
    info: JSON.parse(line) as StackInfo,
    async [Symbol.asyncDispose]() {
      if (stack.exitCode !== null) return;
      stack.kill('SIGTERM');
      await once(stack, 'exit');
    },
  };
}

/** Returns the link in the last mail to an address. */
export async function linkInMail({ mail_url: url }: StackInfo, to: string): Promise<string> {
  for (;;) {
    const mails = (await (await fetch(`${url}/messages`)).json()) as { to: string[] | string }[];
    const mail = mails.findLast((one) => JSON.stringify(one.to).includes(to));
    const link = mail && /http[^\s"\\<>]+/.exec(JSON.stringify(mail));
    if (link) return link[0];
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
