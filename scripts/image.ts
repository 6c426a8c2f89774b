/**
 * Builds the image of the service with buildah, lists its components, and checks it: size, user and writable paths, then the guides and the
 * dashboard against a running container.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Report } from '@tributary/rig';
import { buildBaseImages } from './image/base-images.ts';
import { inspectImage, type Inspection } from './image/inspect-image.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const mostMegabytes = 200;

const { values } = parseArgs({
  options: {
    local: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    tag: { type: 'string', default: 'localhost/tributary:dev' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run image [-- --local] [-- --check] [-- --tag <name>]

Builds the image with buildah, and writes its list of components to .tributary/image/sbom.cdx.json.

  --local  build both base images from Debian packages, because no registry of images can be reached (needs mmdebstrap)
  --check  check size, user and writable paths, and run guides and dashboard against a container (needs podman and Chromium)
  --tag    name of the image, localhost/tributary:dev by default`);
  process.exit(0);
}

const image = values.tag;
await build();
await writeComponents();
if (values.check) await check();

async function build(): Promise<void> {
  const base = values.local ? await buildBaseImages() : null;
  const { version } = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8')) as {
    version: string;
  };
  const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'], { cwd: root });
  const settings = {
    VERSION: version,
    COMMIT: commit.trim(),
    BUILD_BASE: base?.build,
    RUNTIME_BASE: base?.runtime,
  };
  const dir = await mkdtemp(join(tmpdir(), 'tributary-image-'));
  try {
    await stream('buildah', [
      'bud',
      '--isolation=chroot',
      '--format=docker', // the OCI format has no health check
      '--quiet',
      ...Object.entries(settings).flatMap(([name, value]) => (value ? [`--build-arg=${name}=${value}`] : [])),
      ...(values.local ? await volumesOfThisMachine(dir) : []),
      `--tag=${image}`,
      root,
    ]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** npm's cache, and the certificates that this machine trusts. Nothing of them is in the image. */
async function volumesOfThisMachine(dir: string): Promise<string[]> {
  const npmrc = join(dir, 'npmrc');
  await writeFile(npmrc, 'cafile=/etc/ssl/certs/machine.crt\n');
  const cache = join(homedir(), '.npm');
  await mkdir(cache, { recursive: true });
  return [
    `--volume=${certificates}:/etc/ssl/certs/machine.crt:ro`,
    `--volume=${npmrc}:/root/.npmrc:ro`,
    `--volume=${cache}:/root/.npm`,
  ];
}

/** Writes what the image contains of npm's packages, for scanners. */
async function writeComponents(): Promise<void> {
  const { stdout } = await run(
    'npm',
    [
      'sbom',
      '--sbom-format=cyclonedx',
      '--omit=dev',
      '--omit=peer',
      '--omit=optional',
      '--workspace=packages/server',
    ],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  await mkdir(join(root, '.tributary/image'), { recursive: true });
  await writeFile(join(root, '.tributary/image/sbom.cdx.json'), stdout);
}

async function check(): Promise<void> {
  const report = new Report();
  reportFiles(report, await inspectImage(image));
  await reportRun(report, 'guides', [
    'node',
    'scripts/guides.ts',
    'README.md',
    'docs/webhooks.md',
    'docs/events.md',
  ]);
  await reportRun(report, 'dashboard, from the first link, and webhooks', [
    'npx',
    '--no-install',
    'vitest',
    'run',
    '--project=int',
    'packages/dashboard/src/dashboard.stack.int.test.ts',
  ]);
  report.print('The image');
}

function reportFiles(report: Report, inspection: Inspection): void {
  const megabytes = inspection.bytes / 1_000_000;
  report.bound('size', `${megabytes.toFixed(0)} MB`, `≤ ${mostMegabytes} MB`, megabytes <= mostMegabytes);
  report.bound('user', inspection.user, 'a number other than 0', /^[1-9]\d*:[1-9]\d*$/.test(inspection.user));
  report.bound('health check', inspection.healthCheck || 'none', 'one', inspection.healthCheck !== '');
  for (const [what, paths] of [
    ['paths that the user can write', inspection.writable],
    ['programs that run as another user', inspection.privileged],
    ['shells and package managers', inspection.shells],
    ['tests and sources of the dashboard', inspection.unwanted],
  ] as const)
    report.bound(what, [paths.length, ...paths.slice(0, 3)].join(' '), '0', paths.length === 0);
}

/** Runs a command whose stack starts containers of the image instead of the source. */
async function reportRun(report: Report, what: string, [command, ...args]: string[]): Promise<void> {
  const startedAt = performance.now();
  const env = {
    ...process.env,
    TRIBUTARY_IMAGE: image,
    STACK_PROGRAM: join(root, 'scripts/image/container.ts'),
    // The template of CI was migrated by the source.
    STACK_TEMPLATE: '',
  };
  const isPassed = await stream(command!, args, env).then(
    () => true,
    () => false,
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  report.bound(
    `${what}, in a read-only container`,
    `${isPassed ? 'passed' : 'failed'} in ${seconds} s`,
    'passed',
    isPassed,
  );
}

async function stream(command: string, args: readonly string[], env = process.env): Promise<void> {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args[0]} failed`);
}
