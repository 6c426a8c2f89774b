import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StackError } from '../errors.ts';
import { trackStep, type OnProgress } from '../cli/progress.ts';

const folder = join(import.meta.dirname, '../../../dashboard');
/** The sources of the build. */
const sources = ['src', 'build', 'public', 'index.html', 'vite.config.ts', 'package.json', '../design/src'];

/** Builds the dashboard unless the build is newer than all of its sources. */
export async function ensureDashboardBuilt(onProgress: OnProgress): Promise<void> {
  const built = statSync(join(folder, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > Math.max(...sources.map((name) => newestChange(join(folder, name))))) return;
  await trackStep(onProgress, 'Dashboard', 'built', async () => {
    try {
      await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: folder });
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      throw new StackError(`Failed to build the dashboard:\n${stderr || message}`);
    }
  });
}

function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const below = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(stats.mtimeMs, ...below.map((name) => statSync(join(path, name)).mtimeMs));
}
