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

/** The whole service, for as long as a test needs it. */
export async function runStack(): Promise<RunningStack> {
  const stack = spawn(process.execPath, ['packages/stack/src/cli.ts', '--ephemeral', '--json'], {
    cwd: join(import.meta.dirname, '../../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A test runner names its own, for which the dashboard would be built with the warnings of React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let said = '';
  stack.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = once(stack, 'exit').then(() => Promise.reject(new Error(said)));
  ended.catch(() => {}); // told to whoever waits for the line
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

/** The link of the last mail to an address. */
export async function linkInMail({ mail_url: url }: StackInfo, to: string): Promise<string> {
  for (;;) {
    const mails = (await (await fetch(`${url}/messages`)).json()) as { to: string[] | string }[];
    const mail = mails.findLast((one) => JSON.stringify(one.to).includes(to));
    const link = mail && /http[^\s"\\<>]+/.exec(JSON.stringify(mail));
    if (link) return link[0];
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
