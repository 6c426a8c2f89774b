import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

// cSpell:ignore netbase libstdc libgcc tzdata binutils gconv debconf lintian libcrypto mawk libc
const run = promisify(execFile);
const suite = 'bookworm';
const runtimePackages = [
  'base-files',
  'netbase',
  'libc6',
  'libstdc++6',
  'libgcc-s1',
  'ca-certificates',
  'tzdata',
];
const buildPackages = [...runtimePackages, 'bash', 'dash', 'coreutils', 'binutils', 'sed', 'grep'];
/** What Node.js does not load: conversions of glibc, the TLS of the system, and what only package scripts use. */
const unusedPaths = [
  'usr/lib/x86_64-linux-gnu/gconv',
  'usr/lib/aarch64-linux-gnu/gconv',
  'usr/share/man',
  'usr/share/perl5',
  'usr/share/debconf',
  'usr/share/locale',
  'usr/share/bug',
  'usr/share/lintian',
  'var/cache',
];
const unusedFile = /^(?:libcrypto|libssl)\.so|^(?:openssl|mawk|c_rehash)$/;

/** Names of local images that replace the public base images. */
export interface BaseImages {
  build: string;
  runtime: string;
}

/** Builds both base images from Debian packages, for machines that cannot pull from a registry of images. */
export async function buildBaseImages(): Promise<BaseImages> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-base-'));
  try {
    const runtime = await unpack(join(dir, 'runtime'), runtimePackages);
    await slim(runtime);
    const build = await unpack(join(dir, 'build'), buildPackages);
    await addNode(build);
    return {
      build: await commit(build, 'localhost/tributary-build-base'),
      runtime: await commit(runtime, 'localhost/tributary-runtime-base'),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Unpacks packages without running their scripts, and does the two things that a container needs from these. */
export async function unpack(
  folder: string,
  packages: readonly string[],
  release: string = suite,
): Promise<string> {
  await run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    `--include=${packages.join(',')}`,
    release,
    folder,
  ]);
  const certificates = join(folder, 'usr/share/ca-certificates/mozilla');
  const all = (await readdir(certificates)).toSorted();
  const bundle = await Promise.all(all.map((name) => readFile(join(certificates, name))));
  await writeFile(join(folder, 'etc/ssl/certs/ca-certificates.crt'), Buffer.concat(bundle));
  await mkdir(join(folder, 'tmp'), { recursive: true, mode: 0o1777 });
  if (packages.includes('dash')) await symlink('dash', join(folder, 'bin/sh')).catch(() => {});
  return folder;
}

async function slim(folder: string): Promise<void> {
  await chmod(join(folder, 'var/lock'), 0o755).catch(() => {});
  for (const path of unusedPaths) await rm(join(folder, path), { recursive: true, force: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isDirectory() && unusedFile.test(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
}

/** Node.js and npm of this machine. The image itself gets the locked version of Node.js. */
async function addNode(folder: string): Promise<void> {
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const npm = dirname(dirname(await realpath(stdout.trim())));
  await cp(npm, join(folder, 'usr/lib/node_modules/npm'), { recursive: true });
  await cp(process.execPath, join(folder, 'usr/bin/node'));
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/bin/npm'));
}

/** Makes an image of a folder. */
export async function commit(folder: string, name: string): Promise<string> {
  const { stdout } = await run('buildah', ['from', 'scratch']);
  const container = stdout.trim();
  try {
    await run('buildah', ['add', '--quiet', container, folder, '/']);
    await run('buildah', [
      'config',
      '--env',
      'PATH=/usr/local/bin:/usr/bin:/bin',
      '--env',
      'HOME=/root',
      container,
    ]);
    await run('buildah', ['commit', '--quiet', container, name]);
  } finally {
    await run('buildah', ['rm', container]);
  }
  return name;
}
