import type { Engines } from '../engines/engines.ts';
import type { StackLab } from '../lab/stack-lab.ts';
import type { StackMail } from '../mail/stack-mail.ts';
import { outboundAllow, servesApi, type StackNode } from './nodes.ts';
import type { DemoAccount } from './secrets.ts';

/** What a program needs to use a stack. Printed as one line with --json. */
export interface StackInfo extends DemoAccount {
  base_url: string;
  base_urls: string[];
  metrics_url: string;
  dashboard_url: string;
  database_url: string;
  nats_url: string;
  redis_url: string;
  smtp_url: string;
  /** Where mail can be read. Null if an external server delivers it. */
  mail_url: string | null;
  /** The lab that simulates providers for the sandbox, or null. */
  lab_url: string | null;
  /** Private hosts that the service may call, separated by commas. */
  outbound_allow: string;
  /** The pid of each process by name. Engines that run elsewhere are absent. */
  pids: Record<string, number>;
}

export function stackInfo({
  engines,
  mail,
  lab,
  nodes,
  account,
  env,
}: {
  engines: Engines;
  mail: StackMail;
  lab: StackLab | null;
  nodes: readonly StackNode[];
  account: DemoAccount;
  env: NodeJS.ProcessEnv;
}): StackInfo {
  const pids: Record<string, number> = { stack: process.pid };
  const parts = [engines.postgres, engines.nats, engines.redis, ...(lab === null ? [] : [lab]), ...nodes];
  for (const { name, pid } of parts) {
    if (pid !== undefined) pids[name] = pid;
  }
  const baseUrls = nodes.filter(servesApi).map((node) => node.baseUrl);
  return {
    base_url: baseUrls[0] ?? '',
    base_urls: baseUrls,
    metrics_url: nodes[0]?.metricsUrl ?? '',
    dashboard_url: `${baseUrls[0] ?? ''}/dashboard`,
    ...account,
    database_url: engines.databaseUrl,
    nats_url: engines.natsUrl,
    redis_url: engines.redisUrl,
    smtp_url: mail.smtpUrl,
    mail_url: mail.url,
    lab_url: lab?.url ?? null,
    outbound_allow: outboundAllow({ env, labUrl: lab?.url ?? null }),
    pids,
  };
}
