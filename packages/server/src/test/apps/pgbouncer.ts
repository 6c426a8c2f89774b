import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tributary/stack';

export interface PgBouncer extends AsyncDisposable {
  version: string;
  /** Whether it routes prepared statements. */
  preparesStatements: boolean;
  /** The URL of a login through the pooler. */
  through(url: string): string;
}

/** The program to run, if not the installed one. */
const program = process.env['PGBOUNCER'] ?? 'pgbouncer';
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
/** Fewer server connections per login than the service has, so that its connections share them. */
const fewConnections = 5;

/** Starts PgBouncer in transaction mode. Like many installations, it ignores startup options instead of refusing the connection. */
export async function startPgBouncer(
  logins: readonly { name: string; password: string; url: string }[],
  poolSize = fewConnections,
): Promise<PgBouncer> {
  const version = readVersion();
  const preparesStatements = !/^1\.(\d|1\d|20)\./.test(version);
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'tributary-pgbouncer-'));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const port = await freePort();
  const { port: serverPort } = new URL(logins[0]!.url);
  const file = join(dir, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(dir, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
${preparesStatements ? 'max_prepared_statements = 200' : ''}
ignore_startup_parameters = extra_float_digits,options
`,
  );
  await writeFile(
    join(dir, 'users.txt'),
    logins.map(({ name, password }) => `"${name}" "${password}"\n`).join(''),
  );
  await chmod(dir, 0o755);
  const pooler = spawn(program, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
    ...regularUser(),
  });
  let output = '';
  pooler.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-2_000)));
  const exited = once(pooler, 'exit').catch((error: Error) => {
    output = error.message;
  });
  cleanup.defer(async () => {
    pooler.kill('SIGKILL');
    await exited;
  });
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  while (!(await accepts(port))) {
    if (hasExited) throw new Error(`PgBouncer did not start: ${output}`);
    await sleep(20);
  }
  const owned = cleanup.move();
  return {
    version,
    preparesStatements,
    through(url) {
      const changed = new URL(url);
      changed.port = String(port);
      return changed.href;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function readVersion(): string {
  try {
    const output = execFileSync(program, ['--version'], { encoding: 'utf8', env });
    return /^PgBouncer ([\d.]+)/.exec(output)![1]!;
  } catch (error) {
    throw new Error('PgBouncer is not installed: apt-get install pgbouncer', { cause: error });
  }
}

/** PgBouncer refuses to run as root. */
function regularUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: postgresId('-u'), gid: postgresId('-g') };
}

function postgresId(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
