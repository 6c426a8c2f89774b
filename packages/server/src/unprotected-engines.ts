import type { Config } from './config.ts';
import { parseRedisUrl } from './limiter/redis-settings.ts';
import { isLoopback } from './settings/loopback.ts';

/** Warnings about engines on other machines that this process uses without credentials or without TLS. */
export function findUnprotectedEngines({ secrets: { nats, redis } }: Config): string[] {
  const warnings: string[] = [];
  if (!nats.servers.every((server) => isLoopback(hostOf(server)))) {
    const isAnonymous = nats.authentication.kind === 'none' && !nats.tls?.files?.read().cert;
    if (isAnonymous) warnings.push(`NATS is used without credentials: ${nats.servers.join(', ')}`);
    else if (nats.tls === null && nats.authentication.kind !== 'nkey')
      warnings.push('NATS_URL does not require TLS: start it with `tls://`, or set NATS_CA_FILE');
  }
  const target = redis && parseRedisUrl(redis.url.read());
  if (redis && target && !target.addresses.every(({ host }) => isLoopback(host))) {
    const isAnonymous = target.password === '' && !redis.password && !redis.tls?.read().cert;
    if (isAnonymous) warnings.push('Redis is used without a password: set REDIS_PASSWORD');
    else if (!target.usesTls) warnings.push('The password of Redis is sent without TLS: use `rediss://`');
  }
  return warnings;
}

function hostOf(server: string): string {
  return URL.parse(`http://${server}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? server;
}
