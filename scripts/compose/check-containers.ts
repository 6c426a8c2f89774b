import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '@tributary/rig';
import { engines, roles, services, type Container, type Project, type ServiceName } from './project.ts';

// cSpell:ignore NOAUTH rootfs regrole rolcreatedb
/** Hashes and public keys, which engines may log. */
const notSecret = /\.(?:sql|conf|acl)$/;

/** Checks how containers are confined, and who can read secrets. */
export async function checkContainers(project: Project, report: Report): Promise<void> {
  const broken: string[] = [];
  for (const service of services)
    broken.push(
      ...findOpenings(service, await project.inspect(service)).map((text) => `${service}: ${text}`),
    );
  report.bound('containers with more rights than they need', list(broken), '0', broken.length === 0);

  const sick: string[] = [];
  for (const service of [...engines, ...roles, 'caddy'] as const)
    if (!(await project.isHealthy(service))) sick.push(service);
  report.bound('failing health checks', list(sick), '0', sick.length === 0);
  await checkSecrets(project, report);
  await checkEngines(project, report);
}

function findOpenings(
  service: ServiceName,
  { Config, HostConfig, EffectiveCaps, State }: Container,
): string[] {
  const expected =
    service === 'migrate' ? State.Status === 'exited' && State.ExitCode === 0 : State.Status === 'running';
  // The ports that an image exposes have no address.
  const published = Object.entries(HostConfig.PortBindings ?? {})
    .filter(([, addresses]) => Array.isArray(addresses) && addresses.length > 0)
    .map(([port]) => port);
  const mayPublish = service === 'api' || service === 'caddy';
  const rules: [boolean, string][] = [
    [expected, `${State.Status} with code ${State.ExitCode}`],
    [/^[1-9]\d*:[1-9]\d*$/.test(Config.User), `runs as ${Config.User}`],
    [HostConfig.ReadonlyRootfs, 'can write its root file system'],
    [HostConfig.Memory > 0, 'has no limit of memory'],
    [
      (EffectiveCaps ?? []).every((name) => service === 'caddy' && name === 'CAP_NET_BIND_SERVICE'),
      `has ${(EffectiveCaps ?? []).join(', ')}`,
    ],
    [HostConfig.SecurityOpt.some((option) => option.startsWith('no-new-privileges')), 'may gain privileges'],
    [published.length === 0 || mayPublish, `publishes ${published.join(', ')}`],
    [HostConfig.RestartPolicy.Name !== '', 'is not restarted'],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, text]) => text);
}

async function checkSecrets(project: Project, report: Report): Promise<void> {
  const folder = join(project.folder, 'secrets');
  const names = await readdir(folder);
  const open: string[] = [];
  const values: string[] = [];
  for (const name of names) {
    const { mode, uid } = await stat(join(folder, name));
    if ((mode & 0o777) !== 0o600 || uid === 0) open.push(name);
    if (!notSecret.test(name)) values.push((await readFile(join(folder, name), 'utf8')).trim());
  }
  report.bound('secrets that others can read', list(open), '0', open.length === 0 && names.length >= 10);
  const leaks: string[] = [];
  for (const service of services) {
    const text = (await project.log(service)) + JSON.stringify(await project.inspect(service));
    if (values.some((value) => text.includes(value) || text.includes(value.replace(/^1:/, ''))))
      leaks.push(service);
  }
  report.bound(
    'containers with a secret in environment, arguments or log',
    list(leaks),
    '0',
    leaks.length === 0,
  );
}

/** Engines accept no client without credentials, and the login of the service owns nothing. */
async function checkEngines(project: Project, report: Report): Promise<void> {
  const valkey = await project.exec('valkey', 'valkey-cli', 'ping');
  report.bound('Valkey without a password', valkey.trim(), 'NOAUTH', valkey.includes('NOAUTH'));
  const query = `SELECT count(*) FROM pg_class WHERE relowner = 'tributary'::regrole
    UNION ALL SELECT count(*) FROM pg_roles WHERE rolname LIKE 'tributary%' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls)`;
  const rows = await project.exec(
    'postgres',
    'psql',
    '--username=postgres',
    '--dbname=tributary',
    '--tuples-only',
    '--no-align',
    `--command=${query}`,
  );
  report.bound(
    'tables of the login, roles with rights',
    rows.trim().split('\n').join(', '),
    '0, 0',
    rows.trim() === '0\n0',
  );
  const nats = await project.log('nats');
  const warned = (await project.log('api')).includes('NATS is used without credentials');
  report.bound(
    'NATS without credentials',
    warned || nats.includes('authorization violation') ? 'used' : 'not used',
    'not used',
    !warned && !nats.includes('authorization violation'),
  );
}

function list(names: readonly string[]): string {
  return [names.length, ...names.slice(0, 4)].join(' ');
}
