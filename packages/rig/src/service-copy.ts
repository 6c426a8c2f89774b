import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The main file of the shipped service. */
export const shippedProgram = fileURLToPath(import.meta.resolve('@tributary/server/main'));

/** A text in a file that a planted fault replaces. The file must contain it exactly once. */
export interface Patch {
  file: string;
  find: string;
  replace: string;
}

/** The service that a proof runs. */
export interface Service extends AsyncDisposable {
  /** Its main file. */
  program: string;
}

/** The shipped service or, if a fault is planted, a patched copy of all packages in a temporary folder. */
export async function openService(patches: readonly Patch[] = []): Promise<Service> {
  if (patches.length === 0) return { program: shippedProgram, [Symbol.asyncDispose]: async () => {} };
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'tributary-copy-'));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const packages = join(dir, 'packages');
  await cp(join(root, 'packages'), packages, {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules',
  });
  await linkModules(dir, packages);
  for (const patch of patches) {
    const path = join(dir, patch.file);
    await writeFile(path, applyPatch(await readFile(path, 'utf8'), patch));
  }
  const owned = cleanup.move();
  return {
    program: join(packages, 'server/src/main.ts'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Shares installed modules with the original, except the packages themselves. */
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

/** The text of a file with the patch applied. Throws unless the patch matches exactly once. */
export function applyPatch(text: string, { file, find, replace }: Patch): string {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`The patch matches ${times} places in ${file}, expected 1:\n${find}`);
  return text.replace(find, () => replace);
}
