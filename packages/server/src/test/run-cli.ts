import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { TestApp } from './test-app.ts';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));
const cache = process.env['NODE_COMPILE_CACHE'];
const run = promisify(execFile);

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command line on the database of a test, as an operator runs it. */
export function cliOf(app: TestApp) {
  const tributary = async (args: string[], env: Record<string, string> = {}): Promise<Ended> => {
    const settings = {
      PATH: process.env['PATH'],
      // Where CI lets Node keep what it compiled: half of the time of a command is loading it.
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
      DATABASE_URL: app.ctx.config.secrets.databaseUrl,
      AUDIT_NAME: app.ctx.config.audit.name,
      NATS_URL: inject('engines').natsUrl,
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...env,
    };
    try {
      const { stdout, stderr } = await run(process.execPath, [program, ...args], { env: settings });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as Ended;
      return { code, stdout, stderr };
    }
  };
  return {
    tributary,
    json: async (...args: string[]) => JSON.parse((await tributary([...args, '--json'])).stdout),
  };
}
