import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { commit, unpack } from '../image/base-images.ts';

// cSpell:ignore PGDATA busybox libc tzdata libz
const run = promisify(execFile);
/** The release of Debian with the versions that compose.yaml names. */
const suite = 'trixie';
const packages = [
  'base-files',
  'libc6',
  'ca-certificates',
  'tzdata',
  'dash',
  'coreutils',
  'grep',
  'busybox',
  'postgresql-17',
  'nats-server',
  'valkey-server',
  'valkey-tools',
  'caddy',
];
const unusedPaths = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/perl',
  'usr/lib/git-core',
];
const unusedFile = /^libLLVM|^libz3/;
const label = 'tributary.stand-in';
const base = 'localhost/tributary-stand-in';

/** How the public images that compose.yaml names start, by image without its version. */
const configurations: Readonly<Record<string, readonly string[]>> = {
  'docker.io/library/postgres': [
    '--entrypoint=["/usr/local/bin/docker-entrypoint.sh"]',
    '--env=PATH=/usr/local/bin:/usr/lib/postgresql/17/bin:/usr/bin:/bin',
    '--env=PGDATA=/var/lib/postgresql/data',
  ],
  'docker.io/library/nats': ['--entrypoint=["/usr/sbin/nats-server"]'],
  'docker.io/valkey/valkey': ['--entrypoint=[]'],
  'docker.io/library/caddy': [
    '--entrypoint=[]',
    '--env=XDG_CONFIG_HOME=/config',
    '--env=XDG_DATA_HOME=/data',
  ],
};

/** Builds images of the engines from Debian packages, under the names that compose.yaml uses, on machines that cannot pull them. Keeps those that exist. */
export async function buildStandIns(composeFile: string): Promise<void> {
  const { services } = parse(composeFile, { merge: true }) as { services: Record<string, { image: string }> };
  const images = Object.values(services)
    .map(({ image }) => ({ image, options: configurations[image.replace(/:[^:/]*$/, '')] }))
    .filter(({ options }) => options !== undefined);
  const missing: typeof images = [];
  for (const entry of images) if (!(await exists(entry.image))) missing.push(entry);
  if (missing.length === 0) return;
  if (!(await exists(base))) await buildBase();
  for (const { image, options } of missing) await configure(image, options!);
}

async function exists(image: string): Promise<boolean> {
  return run('buildah', ['inspect', '--type=image', image]).then(
    () => true,
    () => false,
  );
}

async function buildBase(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-stand-ins-'));
  try {
    const root = await unpack(join(dir, 'root'), packages, suite);
    for (const path of unusedPaths) await rm(join(root, path), { recursive: true, force: true });
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
      if (unusedFile.test(entry.name))
        await rm(join(entry.parentPath, entry.name), { recursive: true, force: true });
    await symlink('busybox', join(root, 'usr/bin/wget'));
    // Scripts of packages do not run.
    await rm(join(root, 'var/run'), { recursive: true, force: true });
    await symlink('/run', join(root, 'var/run'));
    await mkdir(join(root, 'run/postgresql'), { recursive: true });
    await chmod(join(root, 'run/postgresql'), 0o3777);
    const entrypoint = join(root, 'usr/local/bin/docker-entrypoint.sh');
    await mkdir(join(root, 'usr/local/bin'), { recursive: true });
    await copyFile(join(import.meta.dirname, 'postgres-entrypoint.sh'), entrypoint);
    await chmod(entrypoint, 0o755);
    await commit(root, base);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function configure(image: string, options: readonly string[]): Promise<void> {
  const { stdout } = await run('buildah', ['from', '--pull-never', base]);
  const container = stdout.trim();
  try {
    await run('buildah', ['config', `--label=${label}=true`, '--cmd=[]', ...options, container]);
    await run('buildah', ['commit', '--quiet', container, image]);
  } finally {
    await run('buildah', ['rm', container]);
  }
}
