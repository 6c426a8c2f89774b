import { EnvironmentReader, type Environment } from './environment-reader.ts';

/** Where metrics and health are served. */
interface OpsAddress {
  host: string;
  port: number;
}

export function parseOpsAddress(env: EnvironmentReader): OpsAddress {
  return { host: env.text('METRICS_HOST', '127.0.0.1'), port: env.integer('METRICS_PORT', 9464, 0, 65_535) };
}

/** The address at which this machine reaches its own service. Unlike `readConfig`, it needs no other setting. */
export function readOpsAddress(source: Environment = process.env): OpsAddress {
  const env = new EnvironmentReader(source);
  const { host, port } = parseOpsAddress(env);
  env.throwProblems();
  if (host === '0.0.0.0') return { host: '127.0.0.1', port };
  return { host: host === '::' ? '::1' : host, port };
}
