import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@tributary/rig';

// cSpell:ignore keyrings trixie sourcelist sourceparts
const run = promisify(execFile);
const sources = '/etc/apt/sources.list.d/debian.sources';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const suite = 'trixie';
// cSpell:disable
const packages = [
  'pgbouncer',
  'libc6',
  'libevent-2.1-7t64',
  'libssl3t64',
  'libcares2',
  'zlib1g',
  'libzstd1',
  'libpam0g',
  'libldap2',
  'libsasl2-2',
  'libaudit1',
  'libcap-ng0',
  'libcap2',
  'libsystemd0',
];
// cSpell:enable

/**
 * PgBouncer of Debian 13 with its libraries, in `.tributary/pgbouncer`. The one of Debian 12 does not support prepared statements in
 * transaction mode. Returns the path of the program.
 */
export async function fetchPgBouncer(): Promise<string> {
  const dir = join(root, '.tributary/pgbouncer');
  const program = join(dir, 'pgbouncer');
  if (await exists(program)) return program;
  const unfinished = `${dir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await download(unfinished);
  await writeFile(join(unfinished, 'pgbouncer'), launcher(dir));
  await chmod(join(unfinished, 'pgbouncer'), 0o755);
  await rename(unfinished, dir);
  return program;
}

/** Uses apt's own mirror, but its lists and downloads stay in the folder, so that the system is not affected. */
async function download(dir: string): Promise<void> {
  const mirror = /^URIs: (\S+)/m.exec(await readFile(sources, 'utf8').catch(() => ''))?.[1];
  if (!mirror)
    throw new Error('This is not Debian. Install PgBouncer 1.21 or newer and set PGBOUNCER to its path.');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'debs', 'root'])
    await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, 'status'), '');
  await writeFile(join(dir, 'sources.list'), `deb [signed-by=${keyring}] ${mirror} ${suite} main\n`);
  const settings = {
    'Dir::State': dir,
    'Dir::State::lists': join(dir, 'lists'),
    'Dir::State::status': join(dir, 'status'),
    'Dir::Cache': join(dir, 'cache'),
    'Dir::Etc::sourcelist': join(dir, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Sandbox::User': 'root',
  };
  const config = join(dir, 'apt.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  await writeFile(config, lines.join(''));
  const env = { ...process.env, APT_CONFIG: config };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['download', '-qq', ...packages], { env, cwd: join(dir, 'debs') });
  for (const file of await readdir(join(dir, 'debs')))
    await run('dpkg-deb', ['-x', join(dir, 'debs', file), join(dir, 'root')]);
  for (const folder of ['lists', 'cache', 'debs'])
    await rm(join(dir, folder), { recursive: true, force: true });
}

/** Starts the program with its own libraries: those of the system are older. */
function launcher(dir: string): string {
  const libraries = `${dir}/root/usr/lib/$(uname -m)-linux-gnu`;
  return `#!/bin/sh
exec "$(ls ${libraries}/ld-linux-*.so.*)" --library-path ${libraries} ${dir}/root/usr/sbin/pgbouncer "$@"
`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
