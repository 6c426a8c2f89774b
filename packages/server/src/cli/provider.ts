import { InvalidArgumentError, type Command } from 'commander';
import { findProvider } from '@tributary/providers';
import { ConfigError } from '../config.ts';
import { AppProblem } from '../services/providers/app-problem.ts';
import { configureApp } from '../services/providers/configure-app.ts';
import { describeApp, listApps, type OperatedProvider } from '../services/providers/list-apps.ts';
import { removeApp } from '../services/providers/remove-app.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, table, withContext } from './command.ts';
import { readSecret } from './given-secrets.ts';
import { addedText, listText } from './provider-text.ts';

interface Json {
  json?: boolean;
}

type Pairs = Record<string, string>;

interface SetOptions extends Json {
  clientId: string;
  clientSecretFile: string;
  setting?: Pairs;
  settingFile?: Pairs;
  force?: boolean;
}

export function addProviderCommands(program: Command): void {
  const provider = program.command('provider').description('applications that you registered with providers');

  addJsonOption(provider.command('set <provider>'))
    .description('connect people by this application, in place of the one before with all its settings')
    .requiredOption('--client-id <id>', 'the id that the provider gave to it', parseClientId)
    .requiredOption('--client-secret-file <path>', 'a file with its secret; "-" for standard input')
    .option('--setting <name=value>', 'what the provider needs besides; may be given several times', addPair)
    .option('--setting-file <name=path>', 'the same with the value from a file, for secrets', addPair)
    .option('--force', 'change the client id although people have connected by the one before')
    .action(
      withContext(async (ctx, id: string, options: SetOptions) => {
        const clientSecret = await readSecret(options.clientSecretFile, '--client-secret-file');
        if (/[\p{Cc}]/u.test(clientSecret))
          throw new ConfigError('--client-secret-file: a secret is one line, without control characters.');
        const { clientId, force = false } = options;
        const settings = { ...options.setting, ...(await readSettings(options)) };
        await inSentences(
          configureApp(ctx, operatorAtWork(), { provider: id, clientId, clientSecret, settings, force }),
        );
        const configured = await describeApp(ctx, findProvider(id)!);
        print(options, toPrintable(configured), addedText(configured));
      }),
    );

  addJsonOption(provider.command('list'))
    .description('every provider: whether it is configured, who is connected, and what to register with it')
    .action(
      withContext(async (ctx, options: Json) => {
        const all = await listApps(ctx);
        print(options, all.map(toPrintable), listText(all, table));
      }),
    );

  addJsonOption(provider.command('remove <provider>'))
    .description('forget an application; nobody can connect by it any more')
    .option('--force', 'although people have connected by it')
    .action(
      withContext(async (ctx, id: string, options: Json & { force?: boolean }) => {
        const { connected } = await inSentences(
          removeApp(ctx, operatorAtWork(), { provider: id, force: options.force ?? false }),
        );
        print(options, { provider: id, connected }, `Removed ${id}.`);
      }),
    );
}

async function readSettings({ setting = {}, settingFile = {} }: SetOptions): Promise<Pairs> {
  const read: Pairs = {};
  for (const [name, path] of Object.entries(settingFile)) {
    if (name in setting) throw new ConfigError(`${name} is given twice, by --setting and by --setting-file.`);
    if (path === '-')
      throw new ConfigError('--setting-file: only the client secret comes from standard input.');
    read[name] = await readSecret(path, '--setting-file');
  }
  return read;
}

function inSentences<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof AppProblem ? new ConfigError(error.message) : error;
  });
}

function toPrintable(provider: OperatedProvider) {
  return {
    provider: provider.id,
    name: provider.name,
    status: provider.status,
    client_id: provider.clientId,
    updated_at: provider.updatedAt,
    connected: provider.connected,
    callback_url: provider.callbackUrl,
    push_url: provider.pushUrl,
    sandbox_push_url: provider.sandboxPushUrl,
    settings: provider.settings.map(({ name, about, isSet }) => ({ name, about, set: isSet })),
  };
}

function parseClientId(value: string): string {
  const id = value.trim();
  if (id.length === 0 || id.length > 1000 || /[\s\p{Cc}]/u.test(id))
    throw new InvalidArgumentError('It must have 1 to 1000 characters without blanks.');
  return id;
}

function addPair(value: string, before: Pairs = {}): Pairs {
  const [, name, content] = /^([a-z][a-z0-9_]*)=(.+)$/su.exec(value) ?? [];
  if (name === undefined || content === undefined)
    throw new InvalidArgumentError('It must look like name=value.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...before, [name]: content };
}
