/**
 * Runs compose.yaml with podman-compose from an empty folder: created by `tributary init`, used over TLS through Caddy, stopped, started again, and
 * killed. The images of the engines are stand-ins from Debian packages.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { limitRunTime, newSeed, progress, Random, Report } from '@tributary/rig';
import { checkContainers } from './compose/check-containers.ts';
import { explain, Phone, useService, type State } from './compose/check-service.ts';
import { engines, Project, roles, services } from './compose/project.ts';
import { Site } from './compose/site.ts';
import { buildStandIns } from './compose/stand-ins.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    image: { type: 'string', default: 'localhost/tributary:dev' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run compose [-- --short] [-- --image <name>]

Starts compose.yaml from an empty folder with podman-compose, and checks it. Needs podman, buildah and mmdebstrap.

  --short  kill 3 containers, not 20
  --image  image of the service, localhost/tributary:dev by default, which is built if it is not of this commit`);
  process.exit(0);
}

limitRunTime(values.short ? 10 : 30);
const report = new Report();
const folder = await mkdtemp(join(tmpdir(), 'tributary-compose-'));
const project = new Project(folder, `check-${process.pid}`);
try {
  await ensureImage();
  progress('building images of the engines');
  await buildStandIns(await readFile(join(root, 'compose.yaml'), 'utf8'));
  const [http, https, api] = [await freePort(), await freePort(), await freePort()];
  const site = new Site(https, () =>
    readFileSync(join(folder, 'data/caddy/caddy/pki/authorities/local/root.crt'), 'utf8'),
  );
  await start(site, { http, https, api });
  progress('using the service');
  const before = await useService(project, site, report);
  await checkContainers(project, report);
  const phone = await Phone.create(site, before.live);
  for (let count = 0; count < 5; count++) await phone.upload();
  await restart(site, before);
  await killContainers(site, phone, values.short ? 3 : 20);
} catch (error) {
  for (const service of services) console.error(`== ${service}\n${await project.tail(service)}`);
  throw error;
} finally {
  progress('removing containers');
  await project.remove();
  await rm(folder, { recursive: true, force: true });
}
report.print('compose.yaml');

async function ensureImage(): Promise<void> {
  const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'], { cwd: root });
  const isCurrent = await run('buildah', ['inspect', '--type=image', values.image]).then(
    ({ stdout }) => stdout.includes(commit.trim()),
    () => false,
  );
  if (isCurrent) return;
  progress('building the image');
  const child = spawn(process.execPath, ['scripts/image.ts', '--local', '--tag', values.image], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The image could not be built.');
}

/** From an empty folder to the first response over TLS. */
async function start(site: Site, ports: { http: number; https: number; api: number }): Promise<void> {
  progress('starting from an empty folder');
  const startedAt = performance.now();
  await project.init(values.image, `https://localhost:${ports.https}`);
  const isRefused = await project.init(values.image, 'https://localhost').then(
    () => false,
    (error: Error) => error.message.includes('Nothing was written'),
  );
  report.bound('a second `tributary init`', isRefused ? 'refused' : 'accepted', 'refused', isRefused);
  await project.set({ HTTP_PORT: String(ports.http), API_ADDRESS: `127.0.0.1:${ports.api}` });
  await project.up();
  await site.waitUntilReady();
  const seconds = (performance.now() - startedAt) / 1000;
  report.bound('from an empty folder to ready', `${seconds.toFixed(0)} s`, '≤ 60 s', seconds <= 60);
}

async function restart(site: Site, before: State): Promise<void> {
  progress('stopping and starting again');
  const startedAt = performance.now();
  await project.down();
  const seconds = (performance.now() - startedAt) / 1000;
  report.bound('stop of all containers', `${seconds.toFixed(0)} s`, '≤ 40 s', seconds <= 40);
  await project.up();
  await site.waitUntilReady();
  const isSame = (await explain(site, before.token, before.path)) === before.explanation;
  report.bound('after down and up', isSame ? 'the same value' : 'another value', 'the same value', isSame);
  const audit = await project.tributary('audit', 'verify', '--json');
  report.note('audit log', audit.slice(0, 80));
}

/** Kills containers one after another while a phone uploads. */
async function killContainers(site: Site, phone: Phone, kills: number): Promise<void> {
  progress(`killing ${kills} containers under uploads`);
  const random = new Random(newSeed());
  const victims = [...roles, ...engines, 'caddy'] as const;
  const stop = new AbortController();
  const uploading = (async () => {
    while (!stop.signal.aborted) {
      await phone.upload();
      await sleep(50);
    }
  })();
  for (let kill = 0; kill < kills; kill++) {
    await sleep(random.int(200, 1_500));
    await project.kill(victims[kill % victims.length]!);
  }
  stop.abort();
  await uploading;
  await site.waitUntilReady();
  const until = Date.now() + 60_000;
  while ((await phone.countUnprocessed()) > 0 && Date.now() < until) await sleep(500);
  const [lost, steps] = [await phone.countUnprocessed(), await phone.countSteps()];
  report.note('containers killed, uploads accepted', `${kills}, ${phone.uploads}`);
  report.bound('accepted uploads that were lost', String(lost), '0', lost === 0);
  const expected = phone.uploads * 10;
  report.bound('steps in all days', String(steps), String(expected), steps === expected);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
