import type { Engine, Role, Stack, StackNode } from '@tributary/stack';

/** The environment variable that passes a running stack to a process. */
const variable = 'RIG_STACK';

interface SharedStack {
  info: Stack['info'];
  dir: string;
  encryptionKeys: string;
  urls: { databaseUrl: string; adminDatabaseUrl: string; natsUrl: string; redisUrl: string };
  engines: Record<'postgres' | 'nats' | 'redis', Pick<Engine, 'name' | 'url' | 'port' | 'pid'>>;
  nodes: { name: string; role: Role; baseUrl: string; metricsUrl: string; pid: number | undefined }[];
}

const describe = ({ name, url, port, pid }: Engine) => ({ name, url, port, pid });
const refuse = () => {
  throw new Error('Only the process that started a shared stack can control it.');
};

/** The environment that makes `startRunStack` in a child process use this stack instead of starting one. */
export function shareStack({ info, dir, encryptionKeys, engines, nodes }: Stack): Record<string, string> {
  const { databaseUrl, adminDatabaseUrl, natsUrl, redisUrl } = engines;
  const shared: SharedStack = {
    info,
    dir,
    encryptionKeys,
    urls: { databaseUrl, adminDatabaseUrl, natsUrl, redisUrl },
    engines: {
      postgres: describe(engines.postgres),
      nats: describe(engines.nats),
      redis: describe(engines.redis),
    },
    nodes: nodes.map(({ name, role, baseUrl, metricsUrl, pid }) => ({
      name,
      role,
      baseUrl,
      metricsUrl,
      pid,
    })),
  };
  return { [variable]: JSON.stringify(shared) };
}

/** The stack passed to this process, or null if it has to start its own. */
export function findSharedStack(): Stack | null {
  const text = process.env[variable];
  if (!text) return null;
  const { info, dir, encryptionKeys, urls, engines, nodes } = JSON.parse(text) as SharedStack;
  const controls = { start: refuse, stop: refuse, signal: refuse, wipe: refuse };
  return {
    info,
    dir,
    encryptionKeys,
    engines: {
      ...urls,
      postgres: { ...engines.postgres, ...controls },
      nats: { ...engines.nats, ...controls },
      redis: { ...engines.redis, ...controls },
    },
    nodes: nodes.map((node): StackNode => ({ ...node, ...controls })),
    lab: null,
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
