import { execFile } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an image contains that matters to its operators. */
export interface Inspection {
  /** Of all files. */
  bytes: number;
  user: string;
  healthCheck: string;
  writable: string[];
  privileged: string[];
  shells: string[];
  unwanted: string[];
}

const shell = /^\/(?:usr\/)?(?:local\/)?s?bin\/(?:(?:ba|da|a|z|k)?sh|busybox|npm|npx|apt|apt-get|dpkg)$/;
const unwantedPath = /^\/app\/packages\/(?:.*\.test\.ts$|(?:lab|stack|rig)\/|dashboard\/src\/)|^\/app\/\.git/;

/** Reads the configuration and every file of an image. */
export async function inspectImage(image: string): Promise<Inspection> {
  const { stdout: from } = await run('buildah', ['from', '--pull-never', image]);
  const container = from.trim();
  try {
    const { stdout } = await run('buildah', ['inspect', '--type=image', image]);
    const { config } = (JSON.parse(stdout) as { Docker: { config: DockerConfig } }).Docker;
    const { stdout: mount } = await run('buildah', ['mount', container]);
    const inspection: Inspection = {
      bytes: 0,
      user: config.User,
      healthCheck: config.Healthcheck?.Test.join(' ') ?? '',
      writable: [],
      privileged: [],
      shells: [],
      unwanted: [],
    };
    await walk(mount.trim(), '/', ownerOf(config.User), inspection);
    return inspection;
  } finally {
    await run('buildah', ['rm', container]);
  }
}

interface DockerConfig {
  User: string;
  Healthcheck?: { Test: string[] };
}

interface Owner {
  uid: number;
  gid: number;
}

function ownerOf(user: string): Owner {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  return { uid, gid };
}

async function walk(root: string, folder: string, owner: Owner, inspection: Inspection): Promise<void> {
  for (const name of await readdir(join(root, folder))) {
    const path = join(folder, name);
    if (path === '/dev') continue; // replaced when a container starts
    const stats = await lstat(join(root, path));
    if (shell.test(path)) inspection.shells.push(path);
    if (unwantedPath.test(path)) inspection.unwanted.push(path);
    if (stats.isSymbolicLink()) continue;
    const isWritable =
      (stats.mode & 0o002) !== 0 ||
      (stats.uid === owner.uid && (stats.mode & 0o200) !== 0) ||
      (stats.gid === owner.gid && (stats.mode & 0o020) !== 0);
    // Everybody may write to a folder for temporary files, and the root file system is read-only in all examples.
    if (isWritable && !path.endsWith('/tmp')) inspection.writable.push(path);
    if ((stats.mode & 0o6000) !== 0 && stats.isFile()) inspection.privileged.push(path);
    if (stats.isDirectory()) await walk(root, path, owner, inspection);
    else inspection.bytes += stats.size;
  }
}
