import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Supervision } from '../processes/child.ts';
import { ensureDemoAccount, migrate } from '../service/demo-account.ts';
import { findEngineBinaries, launchEngines } from './engines.ts';
import { openTemporaryFolder, removeFolder } from '../folder.ts';
import { startGuard } from '../processes/guard.ts';
import { rotateLogs } from '../processes/log-file.ts';
import { ephemeralPorts } from '../ports/port-plan.ts';
import { ensureEngineSecrets } from '../service/secrets.ts';

const copy = promisify(execFile);
/** Everything that a new stack needs from an earlier one. */
const parts = ['postgres', 'engines.json', 'demo.json'];

/**
 * A migrated database with the demo account, created once and copied for every ephemeral stack of a CI run. Creates it if it is missing. If two
 * processes do so at once, the first to finish wins.
 */
export async function ensureTemplate(template: string): Promise<void> {
  if (existsSync(template)) return;
  await using cleanup = new AsyncDisposableStack();
  const guard = cleanup.use(startGuard());
  const dir = await openTemporaryFolder(guard);
  cleanup.defer(() => removeFolder(dir));
  rotateLogs(dir);
  const giveUp = new AbortController();
  const supervision: Supervision = {
    dir,
    guard,
    signal: giveUp.signal,
    hurry: new AbortController().signal,
    onUnexpectedExit: () => {},
  };
  const secrets = await ensureEngineSecrets(dir);
  const ports = await ephemeralPorts(undefined, { api: 1, metrics: 1 });
  {
    await using running = new AsyncDisposableStack();
    const engines = await launchEngines(supervision, running, {
      binaries: await findEngineBinaries(undefined, {}),
      secrets,
      ports,
      existing: {},
      onProgress: () => {},
      onFailure: (error) => giveUp.abort(error),
    });
    const smtpUrl = `smtp://127.0.0.1:${ports.smtp}`;
    const encryptionKeys = secrets.encryption_keys;
    const settings = { engines, smtpUrl, labUrl: null, encryptionKeys, ports, env: {} };
    await migrate(supervision, settings);
    await ensureDemoAccount(supervision, settings);
  }
  const partial = `${template}.${process.pid}`;
  await mkdir(partial, { recursive: true, mode: 0o755 });
  await copyParts(dir, partial);
  await rename(partial, template).catch(() => removeFolder(partial));
}

/** Fills the folder of a new stack from the template. */
export function copyTemplate(template: string, dir: string): Promise<void> {
  return copyParts(template, dir);
}

/** Keeps owners and modes, which PostgreSQL checks. */
async function copyParts(from: string, to: string): Promise<void> {
  await copy('cp', ['-a', ...parts.map((part) => join(from, part)), to]);
}
