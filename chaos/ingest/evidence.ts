import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { progress, type RunStack } from '@tributary/rig';
import type { History } from './history.ts';

/** Saves every request and every log of a failed run for debugging. */
export async function keepEvidence({ stack }: RunStack, history: History): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-evidence-'));
  await history.write(join(dir, 'requests.ndjson'));
  await cp(join(stack.dir, 'logs'), join(dir, 'logs'), { recursive: true });
  progress(`requests and logs are stored in ${dir}`);
}
