import type { Supervision } from '../child.ts';
import { StackError } from '../errors.ts';
import { serverEnvironment, serverLaunch, type ServerSettings } from '../nodes.ts';
import { runCommand } from '../run-command.ts';
import type { StackLab } from './stack-lab.ts';

/** Tells the lab where people come back to and where to push to. Addresses of pushes hold a secret that only the server can make. */
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

/** Addresses by the id of their provider, from what the command printed. */
export function parsePushUrls(printed: string): Record<string, string> {
  const line = printed.trim().split('\n').at(-1) ?? '';
  try {
    const rows = JSON.parse(line) as { provider: string; sandbox_push_url: string | null }[];
    return Object.fromEntries(
      rows.flatMap(({ provider, sandbox_push_url: url }) => (url === null ? [] : [[provider, url]])),
    );
  } catch {
    throw new StackError(
      'The lab could not be told of the service: the list of providers was not understood.',
    );
  }
}
