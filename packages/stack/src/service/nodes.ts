import { fileURLToPath } from 'node:url';
import type { Supervision } from '../processes/child.ts';
import type { Engines } from '../engines/engines.ts';
import type { PortPlan } from '../ports/port-plan.ts';
import { createService, type Service } from './service.ts';

const SERVER = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));
const HOST = '127.0.0.1';

// Webhook receivers usually run on the same machine. Production blocks such addresses.
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

export type Role = 'all' | 'api' | 'ingest' | 'jobs' | 'keeper';

export interface NodePlan {
  name: string;
  role: Role;
}

/** One process of the service. */
export interface StackNode extends Service {
  readonly role: Role;
  /** Where it serves the API. A node without one has the URL of the first node. */
  readonly baseUrl: string;
  readonly metricsUrl: string;
}

/** One node does everything. Several share the API, with one process for each of the other roles. */
export function planNodes(count: number): NodePlan[] {
  if (count === 1) return [{ name: 'node-1', role: 'all' }];
  const api = Array.from({ length: count }, (_, index): NodePlan => ({
    name: `node-${index + 1}`,
    role: 'api',
  }));
  const others = (['ingest', 'jobs', 'keeper'] as const).map((role): NodePlan => ({ name: role, role }));
  return [...api, ...others];
}

/** One process per role, named by role and number. */
export function planRoles(roles: readonly Role[]): NodePlan[] {
  return roles.map((role, index) => ({ name: `${role}-${index + 1}`, role }));
}

export function servesApi({ role }: { role: Role }): boolean {
  return role === 'all' || role === 'api';
}

export interface ServerSettings {
  engines: Engines;
  smtpUrl: string;
  /** The lab that simulates providers for the sandbox, or null. */
  labUrl: string | null;
  encryptionKeys: string;
  ports: PortPlan;
  env: NodeJS.ProcessEnv;
  /** The main file of the server, if it is not the one next to this package. */
  program?: string | undefined;
  /** Whether `program` is of another version, whose commands may lack newer options. */
  isOtherVersion?: boolean | undefined;
}

/** Private hosts that the service may call. The lab is always one of them. */
export function outboundAllow({ env, labUrl }: Pick<ServerSettings, 'env' | 'labUrl'>): string {
  const allowedHosts = env['OUTBOUND_ALLOW'] ?? process.env['OUTBOUND_ALLOW'] ?? LOOPBACK;
  if (labUrl === null) return allowedHosts;
  const { hostname, host, port } = new URL(labUrl);
  const hosts = new Set(allowedHosts.split(',').map((entry) => entry.trim()));
  const lab = port === '' ? hostname : host;
  return hosts.has(hostname) || hosts.has(lab) ? allowedHosts : [allowedHosts, lab].filter(Boolean).join(',');
}

/** The URL of the lab, for a server that uses one. */
function labSetting({ labUrl }: Pick<ServerSettings, 'labUrl'>): { LAB_URL?: string } {
  return labUrl === null ? {} : { LAB_URL: labUrl };
}

/** The sender address of the service's mail. */
function mailFrom(env: NodeJS.ProcessEnv): string {
  return env['MAIL_FROM'] ?? process.env['MAIL_FROM'] ?? 'Tributary <tributary@localhost>';
}

/** The environment a command needs to use the same engines. */
export function commandEnvironment(settings: ServerSettings): Record<string, string> {
  const { engines, smtpUrl, encryptionKeys, env } = settings;
  return {
    TRIBUTARY_ENV: 'development',
    DATABASE_URL: engines.databaseUrl,
    NATS_URL: engines.natsUrl,
    REDIS_URL: engines.redisUrl,
    SMTP_URL: smtpUrl,
    MAIL_FROM: mailFrom(env),
    ENCRYPTION_KEYS: env['ENCRYPTION_KEYS'] ?? encryptionKeys,
    OUTBOUND_ALLOW: outboundAllow(settings),
    ...labSetting(settings),
    PUBLIC_URL: serverEnvironment(settings, 'command').PUBLIC_URL,
    LOG_LEVEL: 'warn',
  };
}

/** The environment of a server process, or of a command if the name is not a node's. */
export function serverEnvironment(settings: ServerSettings, name: string, index = 0) {
  const { engines, smtpUrl, encryptionKeys, ports, env } = settings;
  // Processes without an API use the URL of the first node.
  const port = ports.api[index] ?? ports.api[0] ?? 0;
  return {
    ENCRYPTION_KEYS: encryptionKeys,
    LOG_LEVEL: 'info',
    ...process.env,
    TRIBUTARY_ENV: 'development',
    DATABASE_URL: engines.databaseUrl,
    NATS_URL: engines.natsUrl,
    REDIS_URL: engines.redisUrl,
    SMTP_URL: smtpUrl,
    MAIL_FROM: mailFrom(env),
    HOST,
    PORT: String(port),
    METRICS_HOST: HOST,
    METRICS_PORT: String(ports.metrics[index] ?? 0),
    PUBLIC_URL: `http://${HOST}:${port}`,
    NODE_NO_WARNINGS: '1',
    NODE_NAME: name,
    ...env,
    OUTBOUND_ALLOW: outboundAllow(settings),
    ...labSetting(settings),
  };
}

export function serverLaunch(
  { program = process.env['STACK_PROGRAM'] ?? SERVER }: Pick<ServerSettings, 'program'>,
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
) {
  return { name, command: process.execPath, args: [program, ...args], env, cwd: process.cwd() };
}

export function createNode(
  supervision: Supervision,
  settings: ServerSettings,
  { name, role }: NodePlan,
  index: number,
): StackNode {
  const env = serverEnvironment(settings, name, index);
  const baseUrl = `http://${HOST}:${env.PORT}`;
  const metricsUrl = `http://${HOST}:${env.METRICS_PORT}/metrics`;
  const readyUrl = servesApi({ role }) ? `${baseUrl}/readyz` : metricsUrl;
  const service = createService(supervision, {
    launch: serverLaunch(settings, name, [role], env),
    isReady: () => respondsOk(readyUrl),
    readyTimeoutMs: 60_000,
    graceMs: 5000,
  });
  return Object.assign(service, { role, baseUrl, metricsUrl });
}

async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(2000),
      headers: { connection: 'close' },
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
