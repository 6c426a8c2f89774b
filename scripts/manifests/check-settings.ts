import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listWorkloads, type KubernetesObject } from './objects.ts';

const run = promisify(execFile);
const mount = '/etc/tributary/';
/** Authorities of engines outside, which the operator adds to the secret. */
const authorities = ['database-ca', 'nats-ca', 'redis-ca'];

/** Starts the service with the settings of each role and the secrets that `tributary init` creates. It must get as far as connecting to PostgreSQL. */
export async function checkSettings(root: string, objects: readonly KubernetesObject[]): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-manifests-'));
  try {
    const program = join(root, 'packages/server/src/main.ts');
    await run(process.execPath, [
      program,
      'init',
      dir,
      '--no-tls',
      '--public-url=https://health.example.com',
    ]);
    const secrets = join(dir, 'secrets');
    for (const name of authorities) await copyFile('/etc/ssl/certs/ca-certificates.crt', join(secrets, name));
    const known = new Set(await readdir(secrets));
    return [...findUnknownKeys(objects, known), ...(await startMigration(program, objects, secrets))];
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Mounts of files that `tributary init` does not create. */
function findUnknownKeys(objects: readonly KubernetesObject[], known: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  for (const { metadata, spec } of listWorkloads(objects)) {
    const volumes = (spec.template.spec.volumes ?? []).filter(({ secret }) => secret);
    const secrets = new Set(volumes.map(({ name }) => name));
    for (const { volumeMounts = [] } of spec.template.spec.containers)
      for (const { name, subPath } of volumeMounts)
        if (subPath !== undefined && secrets.has(name) && !known.has(subPath))
          problems.push(`${metadata.name} mounts ${subPath}, which \`tributary init\` does not create`);
  }
  return problems;
}

async function startMigration(
  program: string,
  objects: readonly KubernetesObject[],
  secrets: string,
): Promise<string[]> {
  const job = listWorkloads(objects).find(({ kind }) => kind === 'Job');
  const container = job?.spec.template.spec.containers[0];
  if (!container) return ['there is no migration'];
  const name = container.envFrom?.[0]?.configMapRef?.name;
  const settings =
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data ?? {};
  const own = Object.fromEntries((container.env ?? []).map((entry) => [entry.name, entry.value ?? '']));
  const entries = Object.entries({ ...settings, ...own }).map(([key, value]) => [
    key,
    value.replace(/^\/etc\/tributary\/(?:secrets|owner)/, secrets),
  ]);
  const outside = entries
    .filter(([, value]) => value!.startsWith(mount))
    .map(([key]) => `${key} is not in a mounted secret`);
  // A host that does not exist, so that nothing is reached.
  const env = {
    ...Object.fromEntries(entries),
    DATABASE_OWNER_URL: 'postgres://tributary_owner@127.0.0.1:1/tributary',
  };
  const message = await run(process.execPath, [program, 'migrate'], {
    env: { PATH: process.env['PATH'], ...env },
  }).then(
    () => 'the migration succeeded without a database',
    (error: { stderr: string }) => error.stderr,
  );
  return message.includes('Cannot connect to PostgreSQL') ? outside : [...outside, message];
}
