import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

const module = JSON.stringify(new URL('./run-action.ts', import.meta.url).href);

/** Starts `body` as the work of a command. */
function spawnCommand(body: string) {
  const program = `import { runAction } from ${module}; await runAction(async () => { ${body} });`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Runs a command, and reads its output only after a moment. */
async function runCommand(body: string): Promise<{ code: number | null; stdout: string }> {
  const child = spawnCommand(body);
  const closed = once(child, 'close');
  await sleep(1_000);
  let stdout = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) stdout += chunk as string;
  const [code] = (await closed) as [number | null];
  return { code, stdout };
}

describe('runAction', () => {
  it('writes all output before it exits, even if the reader is slow', async () => {
    const { code, stdout } = await runCommand(`console.log('x'.repeat(2_000_000));`);
    expect(code).toBe(0);
    expect(stdout).toHaveLength(2_000_001);
  });

  it('exits quietly when its reader closes the pipe', async () => {
    const child = spawnCommand(
      `for (;;) { console.log('x'); await new Promise((resolve) => setTimeout(resolve, 20)); }`,
    );
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  });

  it('writes all output before it exits with an error', async () => {
    const { code, stdout } = await runCommand(
      `console.log('x'.repeat(2_000_000)); throw new Error('broken');`,
    );
    expect(code).toBe(1);
    expect(stdout).toHaveLength(2_000_001);
  });
});
