import type { Engines } from './engines.ts';
import { outboundAllow, servesApi, type StackNode } from './nodes.ts';
import type { StackMail } from './mail/stack-mail.ts';
import type { DemoAccount } from './secrets.ts';

/** What a program needs to use a stack; printed as one line with --json. */
export interface StackInfo extends DemoAccount {
  base_url: string;
  base_urls: string[];
  metrics_url: string;
  database_url: string;
  nats_url: string;
  redis_url: string;
  smtp_url: string;
  /** Where mail can be read; null when a server of others delivers it. */
  mail_url: string | null;
  /** Hosts that the service may call although they are not public, separated by commas. */
  outbound_allow: string;
  /** Name of each process to its pid; engines that somebody else runs are absent. */
  pids: Record<string, number>;
}

export function stackInfo({
  engines,
  mail,
  nodes,
  account,
  env,
}: {
  engines: Engines;
  mail: StackMail;
  nodes: readonly StackNode[];
  account: DemoAccount;
  env: NodeJS.ProcessEnv;
}): StackInfo {
  const pids: Record<string, number> = { stack: process.pid };
  for (const { name, pid } of [engines.postgres, engines.nats, engines.redis, ...nodes]) {
    if (pid !== undefined) pids[name] = pid;
  }
  const baseUrls = nodes.filter(servesApi).map((node) => node.baseUrl);
  return {
    base_url: baseUrls[0] ?? '',
    base_urls: baseUrls,
    metrics_url: nodes[0]?.metricsUrl ?? '',
    ...account,
    database_url: engines.databaseUrl,
    nats_url: engines.natsUrl,
    redis_url: engines.redisUrl,
    smtp_url: mail.smtpUrl,
    mail_url: mail.url,
    outbound_allow: outboundAllow(env),
    pids,
  };
}
