import type { Supervision } from '../processes/child.ts';
import { StackError } from '../errors.ts';
import { serverEnvironment, serverLaunch, type ServerSettings } from './nodes.ts';
import { runCommand } from '../processes/run-command.ts';
import {
  findDemoAccount,
  parseRecord,
  readDemoSettings,
  saveDemoAccount,
  type DemoAccount,
  type DemoSettings,
} from './secrets.ts';

const ORGANIZATION = 'Demo Health';
/** The usual URL of an app under development on the same machine. */
const REDIRECT_URL = 'http://localhost:3000/connected';

export async function migrate(supervision: Supervision, settings: ServerSettings): Promise<void> {
  const env = serverEnvironment(settings, 'migrate');
  await runCommand(supervision, serverLaunch(settings, 'migrate', ['migrate'], env));
}

/** The demo account of this folder, created on its first start. */
export async function ensureDemoAccount(
  supervision: Supervision,
  settings: ServerSettings,
): Promise<DemoAccount> {
  return (await findDemoAccount(supervision.dir)) ?? createDemoAccount(supervision, settings);
}

/** Creates the account again if the database was replaced and does not know its key. */
export async function refreshDemoAccount(
  supervision: Supervision,
  settings: ServerSettings,
  baseUrl: string,
  account: DemoAccount,
): Promise<DemoAccount> {
  const response = await fetch(`${baseUrl}/v1/users?limit=1`, {
    headers: { authorization: `Bearer ${account.live_key}`, connection: 'close' },
    signal: AbortSignal.any([supervision.signal, AbortSignal.timeout(5000)]),
  }).catch(() => null);
  await response?.body?.cancel();
  if (response?.status === 401) return createDemoAccount(supervision, settings);
  await setWhatLacks(supervision, settings, account);
  return account;
}

async function createDemoAccount(supervision: Supervision, settings: ServerSettings): Promise<DemoAccount> {
  const env = serverEnvironment(settings, 'account-create');
  const set = lackingSettings({}, settings);
  const args = ['account', 'create', '--name', 'Demo', ...optionsOf(set), '--json'];
  const printed = await runCommand(supervision, serverLaunch(settings, 'account-create', args, env));
  const line = printed.trim().split('\n').at(-1) ?? '';
  const keys = ['account_id', 'live_key', 'sandbox_key'] as const;
  const account: DemoAccount | null = settings.isOtherVersion
    ? parseRecord(line, keys)
    : parseRecord(line, [...keys, 'owner_url']);
  if (account === null)
    throw new StackError('Could not create the demo account: the output of `account create` is not valid.');
  const { owner_url: _link, ...savedAccount } = account; // works once, for one day
  await saveDemoAccount(supervision.dir, { ...savedAccount, ...set });
  return account;
}

/** Applies each setting once, also to an account of an older stack. Later changes by the user stay. */
async function setWhatLacks(
  supervision: Supervision,
  settings: ServerSettings,
  account: DemoAccount,
): Promise<void> {
  const known = await readDemoSettings(supervision.dir);
  const lacking = lackingSettings(known, settings);
  if (Object.keys(lacking).length === 0) return;
  const env = serverEnvironment(settings, 'account-set');
  const args = ['account', 'set', account.account_id, ...optionsOf(lacking)];
  await runCommand(supervision, serverLaunch(settings, 'account-set', args, env));
  await saveDemoAccount(supervision.dir, { ...account, ...known, ...lacking });
}

function lackingSettings(known: Partial<DemoSettings>, settings: ServerSettings): Partial<DemoSettings> {
  const { labUrl } = settings;
  if (settings.isOtherVersion) return {};
  return {
    ...(known.organization === undefined && { organization: ORGANIZATION }),
    // Without a lab, no provider can be connected in the sandbox.
    ...(known.redirect_url === undefined && labUrl !== null && { redirect_url: REDIRECT_URL }),
  };
}

function optionsOf({ organization, redirect_url: redirectUrl }: Partial<DemoSettings>): string[] {
  return [
    ...(organization === undefined ? [] : ['--organization', organization]),
    ...(redirectUrl === undefined ? [] : ['--add-redirect-url', redirectUrl]),
  ];
}
