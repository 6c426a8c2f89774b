import { InvalidArgumentError, type Command } from 'commander';
import { findProvider } from '@tributary/providers';
import { ConfigError } from '../../config.ts';
import { AppProblem } from '../../services/providers/app-problem.ts';
import { configureApp } from '../../services/providers/configure-app.ts';
import { describeApp, listApps, type OperatedProvider } from '../../services/providers/list-apps.ts';
import { removeApp } from '../../services/providers/remove-app.ts';
import { operatorAtWork } from '../acting.ts';
import { addJsonOption, print, table, withContext } from '../command.ts';
import { readSecret } from './read-secret.ts';
import { addedText, listText } from './text.ts';

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
  const provider = program
    .command('provider')
    .description('manage provider apps (the OAuth clients that you registered with providers)');

  addJsonOption(provider.command('set <provider>'))
    .description('set the app that users connect with; replaces the previous app and all its settings')
    .requiredOption('--client-id <id>', 'client id issued by the provider', parseClientId)
    .requiredOption(
      '--client-secret-file <path>',
      'file that contains the client secret; "-" for standard input',
    )
    .option('--setting <name=value>', 'additional setting that the provider requires (repeatable)', addPair)
    .option(
      '--setting-file <name=path>',
      'the same, with the value read from a file, for secrets (repeatable)',
      addPair,
    )
    .option('--force', 'change the client id even if users are connected with the previous one')
    .action(
      withContext(async (ctx, id: string, options: SetOptions) => {
        const clientSecret = await readSecret(options.clientSecretFile, '--client-secret-file');
        if (/[\p{Cc}]/u.test(clientSecret))
          throw new ConfigError(
            '--client-secret-file: the secret must be a single line without control characters.',
          );
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
    .description('list all providers with their status, number of connections and the URLs to register')
    .action(
      withContext(async (ctx, options: Json) => {
        const all = await listApps(ctx);
        print(options, all.map(toPrintable), listText(all, table));
      }),
    );

  addJsonOption(provider.command('remove <provider>'))
    .description('remove a provider app; users can no longer connect with it')
    .option('--force', 'remove it even if users are connected with it')
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
    if (name in setting)
      throw new ConfigError(`Setting ${name} is specified twice, with --setting and with --setting-file.`);
    if (path === '-')
      throw new ConfigError('--setting-file: only the client secret can be read from standard input.');
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
    throw new InvalidArgumentError('It must have 1 to 1000 characters and no whitespace.');
  return id;
}

function addPair(value: string, before: Pairs = {}): Pairs {
  const [, name, content] = /^([a-z][a-z0-9_]*)=(.+)$/su.exec(value) ?? [];
  if (name === undefined || content === undefined)
    throw new InvalidArgumentError('It must have the form name=value.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`Setting ${name} is specified twice.`);
  return { ...before, [name]: content };
}
