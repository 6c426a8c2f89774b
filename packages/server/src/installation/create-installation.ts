import { chown, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config.ts';
import { makeSecrets } from './make-secrets.ts';

/** What an operator decides before the first start. */
export interface InstallationInput {
  /** An existing folder. */
  folder: string;
  publicUrl: string;
  image: string;
  /** Whether Caddy terminates TLS. */
  usesTls: boolean;
  /** Owner of secrets and data, and user of all containers. Null: this user, or that of the image if this is root. */
  user: Owner | null;
}

interface Owner {
  uid: number;
  gid: number;
}

interface Installation {
  /** Paths of the files that were created, relative to the folder. */
  created: string[];
  user: Owner;
}

interface NewFile {
  path: string;
  text: string;
  mode: number;
  /** Of the service, or of the operator, who owns the folder. */
  isOfService: boolean;
}

/** The root of the repository, and of the program in the image. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** What compose.yaml needs. */
const shipped = [
  'compose.yaml',
  'deploy/compose',
  'deploy/monitoring/prometheus.yml',
  'deploy/monitoring/alerts.yml',
  'deploy/monitoring/alertmanager.yml',
  'deploy/monitoring/grafana',
];
const dataFolders = ['postgres', 'nats', 'caddy', 'prometheus', 'alertmanager', 'grafana'];
const userOfImage: Owner = { uid: 10_001, gid: 10_001 };

/** Writes compose.yaml, settings and new secrets into a folder. Changes no file that exists. */
export async function createInstallation(input: InstallationInput): Promise<Installation> {
  const { folder } = input;
  const site = parsePublicUrl(input.publicUrl, input.usesTls);
  const operator = await stat(folder).catch(() => null);
  if (!operator?.isDirectory()) throw new ConfigError(`${folder} is not a folder. Create it first.`);
  const user = chooseUser(input.user);
  const files = await listMissing(folder, [
    ...(await shippedFiles()),
    settingsFile('.env', 0o644, composeSettings(input, site, user)),
    settingsFile('tributary.env', 0o600, serviceSettings),
    ...Object.entries(makeSecrets()).map(([name, text]) => ({
      path: `secrets/${name}`,
      text: `${text}\n`,
      mode: 0o600,
      isOfService: true,
    })),
  ]);
  await checkData(folder);
  for (const name of ['secrets', ...dataFolders.map((data) => `data/${data}`)])
    await makeFolder(folder, name, user);
  for (const file of files) await write(folder, file, file.isOfService ? user : operator);
  return { created: files.map(({ path }) => path), user };
}

/** The URL that clients use, in the form that the service compares. */
export function parsePublicUrl(text: string, usesTls: boolean): URL {
  const hint = 'use a URL such as https://health.example.com';
  if (!URL.canParse(text)) throw new ConfigError(`--public-url is not a URL: ${hint}`);
  const url = new URL(text);
  if (url.protocol !== 'https:')
    throw new ConfigError(
      `--public-url must start with https://, because responses contain health data: ${hint}`,
    );
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.pathname !== '/'
  )
    throw new ConfigError(`--public-url must be only https://, a host and possibly a port: ${hint}`);
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname);
  const isName = url.hostname === 'localhost' || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname);
  if (usesTls && (isAddress || !isName))
    throw new ConfigError(
      `--public-url must contain a host name with a domain, for which Caddy can get a certificate, or localhost: ${hint}`,
    );
  return url;
}

function chooseUser(option: Owner | null): Owner {
  const own: Owner = { uid: process.getuid!(), gid: process.getgid!() };
  const user = option ?? (own.uid === 0 ? userOfImage : own);
  if (user.uid === 0) throw new ConfigError('--user must not be 0: PostgreSQL refuses to run as root.');
  if (own.uid !== 0 && user.uid !== own.uid)
    throw new ConfigError(
      `Only root can create files of user ${user.uid}. Leave out --user, or run this as root.`,
    );
  return user;
}

/** Files that do not exist yet. Shipped files may exist if they are the same, as in a clone. */
async function listMissing(folder: string, files: readonly NewFile[]): Promise<NewFile[]> {
  const missing: NewFile[] = [];
  const existing: string[] = [];
  for (const file of files) {
    const path = join(folder, file.path);
    if (!(await lstat(path).catch(() => null))) missing.push(file);
    else if ((await readFile(path, 'utf8').catch(() => null)) !== file.text) existing.push(file.path);
  }
  if (existing.length > 0)
    throw new ConfigError(
      `Nothing was written, because these files exist in ${folder}: ${existing.join(', ')}. Use an empty folder. To create an installation again, first move the files away, including data.`,
    );
  return missing;
}

/** New passwords do not fit a database that exists. */
async function checkData(folder: string): Promise<void> {
  for (const name of dataFolders) {
    const entries = await readdir(join(folder, 'data', name)).catch(() => []);
    if (entries.length > 0)
      throw new ConfigError(
        `Nothing was written, because ${folder}/data/${name} contains data of an earlier installation, which needs its own secrets.`,
      );
  }
}

async function shippedFiles(): Promise<NewFile[]> {
  const files: NewFile[] = [];
  for (const path of await listFiles(shipped))
    files.push(settingsFile(relative(root, path), 0o644, await readFile(path, 'utf8')));
  return files;
}

/** Paths of files, and of all files in folders. An image without monitoring has no such folder. */
async function listFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths.map((name) => join(root, name))) {
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile()) files.push(path);
    else if (stats) {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      files.push(
        ...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
      );
    }
  }
  return files;
}

function settingsFile(path: string, mode: number, text: string): NewFile {
  return { path, text, mode, isOfService: false };
}

function composeSettings({ image, usesTls }: InstallationInput, site: URL, { uid, gid }: Owner): string {
  return `# Settings of compose.yaml. No secrets.
TRIBUTARY_IMAGE=${image}
# User of all containers, and owner of secrets and data.
TRIBUTARY_USER=${uid}:${gid}
# URL that clients use, and its host, for which Caddy gets a certificate.
PUBLIC_URL=${site.origin}
SITE_ADDRESS=${site.hostname}
# Ports of Caddy on this machine, and the address at which a proxy of your own reaches the API.
HTTP_PORT=80
HTTPS_PORT=${site.port || '443'}
API_ADDRESS=127.0.0.1:8080
# tls: Caddy terminates TLS. monitoring: Prometheus, Alertmanager and Grafana. Comma-separated.
COMPOSE_PROFILES=${usesTls ? 'tls' : ''}
`;
}

const serviceSettings = `# Settings of the service (.env.example lists all of them). compose.yaml sets those of engines, secrets, PUBLIC_URL and TRUST_PROXY.
# Restart with \`docker compose up -d\` after a change.
TRIBUTARY_ENV=production
`;

async function makeFolder(folder: string, name: string, user: Owner): Promise<void> {
  await mkdir(join(folder, dirname(name)), { recursive: true });
  const path = join(folder, name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (process.getuid!() === 0) await chown(path, user.uid, user.gid);
}

async function write(folder: string, { path, text, mode }: NewFile, owner: Owner): Promise<void> {
  const file = join(folder, path);
  const parent = dirname(file);
  if (parent !== folder) {
    const first = await mkdir(parent, { recursive: true });
    if (first !== undefined && process.getuid!() === 0) await chown(parent, owner.uid, owner.gid);
  }
  await writeFile(file, text, { flag: 'wx', mode });
  if (process.getuid!() === 0) await chown(file, owner.uid, owner.gid);
}
