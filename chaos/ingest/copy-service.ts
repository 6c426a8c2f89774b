import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A text in a file that is replaced by another; it must stand there exactly once. */
export interface Replacement {
  file: string;
  find: string;
  replace: string;
}

/** A copy of the service in a folder of its own. */
export interface ServiceCopy extends AsyncDisposable {
  /** Its main file. */
  program: string;
}

/**
 * Copies all packages, with changes if there are any. Runs start processes over and over: each has to meet the code that the run began
 * with, whoever edits files meanwhile.
 */
export async function copyService(replacements: readonly Replacement[] = []): Promise<ServiceCopy> {
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'tributary-copy-'));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const packages = join(dir, 'packages');
  await cp(join(root, 'packages'), packages, {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules',
  });
  await linkModules(dir, packages);
  for (const replacement of replacements) await apply(dir, replacement);
  const owned = cleanup.move();
  return {
    program: join(packages, 'server/src/main.ts'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Everything installed is shared with the original, apart from the packages themselves. */
async function linkModules(dir: string, packages: string): Promise<void> {
  const own = '@tributary';
  await mkdir(join(dir, 'node_modules', own), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== own) await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name));
  for (const name of await readdir(packages)) {
    await symlink(join(packages, name), join(dir, 'node_modules', own, name));
    const nested = join('packages', name, 'node_modules');
    if ((await readdir(join(root, 'packages', name))).includes('node_modules'))
      await symlink(join(root, nested), join(dir, nested));
  }
}

async function apply(dir: string, { file, find, replace }: Replacement): Promise<void> {
  const path = join(dir, file);
  const text = await readFile(path, 'utf8');
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} places, not one, that read:\n${find}`);
  await writeFile(
    path,
    text.replace(find, () => replace),
  );
}
