import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { glob, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { progress } from '@tributary/rig';

const run = promisify(execFile);
export const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A commit in its own folder, ready to run. */
export interface Checkout extends AsyncDisposable {
  /** The abbreviated commit. */
  name: string;
  /** The main file of its server. */
  program: string;
}

/** The main file of the server in a checkout. */
export const serverIn = (root: string): string => join(root, 'packages/server/src/main.ts');

/** Checks a commit out into a temporary worktree, with the modules of its lock file. */
export async function checkOut(commit: string): Promise<Checkout> {
  const name = await git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary-compare-')));
  const root = join(folder, 'tree');
  const removeAtExit = (): void => {
    rmSync(folder, { recursive: true, force: true });
    execFileSync('git', ['worktree', 'prune'], { cwd: ownRoot });
  };
  process.once('exit', removeAtExit);
  // An interrupted run must remove its worktree, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  progress(`checking out ${name}`);
  await git('worktree', 'add', '--detach', root, name);
  await provideModules(root);
  await assertOwnPackages(root);
  return {
    name,
    program: serverIn(root),
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
      await git('worktree', 'prune');
      process.off('exit', removeAtExit);
    },
  };
}

/** Links to this checkout's modules when they are the same; installs them otherwise. */
async function provideModules(root: string): Promise<void> {
  const locks = await Promise.all(
    [ownRoot, root].map((at) => readFile(join(at, 'package-lock.json'), 'utf8')),
  );
  if (locks[0] === locks[1]) {
    try {
      // Hard-link files and copy symbolic links, since those to the workspace's packages are relative.
      for await (const modules of glob(['node_modules', 'packages/*/node_modules'], { cwd: ownRoot }))
        await run('cp', ['-al', join(ownRoot, modules), join(root, modules)]);
      return;
    } catch (error) {
      // Another file system, or a platform whose `cp` cannot create links. The installation replaces the copy.
      progress(`could not link node_modules: ${String(error)}`);
    }
  }
  progress('installing node_modules');
  await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
}

/** Throws if the workspace's packages would come from another checkout, since both sides would then run the same code. */
async function assertOwnPackages(root: string): Promise<void> {
  const contract = await realpath(join(root, 'node_modules/@tributary/contract'));
  if (contract !== join(root, 'packages/contract'))
    throw new Error(`${root} uses the packages of ${contract}`);
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: ownRoot });
  return stdout.trim();
}
