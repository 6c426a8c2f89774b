import type { Supervision } from '../processes/child.ts';
import { StackError } from '../errors.ts';
import { serverEnvironment, serverLaunch, type ServerSettings } from '../service/nodes.ts';
import { runCommand } from '../processes/run-command.ts';
import type { StackLab } from './stack-lab.ts';

/** Registers the redirect URL and the push URLs with the lab. Push URLs contain a secret that only the server can create. */
export async function introduceService(
  supervision: Supervision,
  settings: ServerSettings,
  lab: StackLab,
): Promise<void> {
  const env = serverEnvironment(settings, 'provider-list');
  const launch = serverLaunch(settings, 'provider-list', ['provider', 'list', '--json'], env);
  const printed = await runCommand(supervision, launch);
  const redirectUris = settings.ports.api.map(
    (_, index) => `${serverEnvironment(settings, 'lab', index).PUBLIC_URL}/connect/callback`,
  );
  await lab.introduce({ redirectUris: [...new Set(redirectUris)], pushUrls: parsePushUrls(printed) });
}

/** URLs by provider id, parsed from the command's output. */
export function parsePushUrls(printed: string): Record<string, string> {
  const line = printed.trim().split('\n').at(-1) ?? '';
  try {
    const rows = JSON.parse(line) as { provider: string; sandbox_push_url: string | null }[];
    return Object.fromEntries(
      rows.flatMap(({ provider, sandbox_push_url: url }) => (url === null ? [] : [[provider, url]])),
    );
  } catch {
    throw new StackError(
      'Could not register the service with the lab: the output of `provider list` is not valid.',
    );
  }
}
