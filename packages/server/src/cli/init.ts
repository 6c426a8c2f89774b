import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { createInstallation, type InstallationInput } from '../installation/create-installation.ts';
import { addJsonOption, print } from './command.ts';
import { runAction } from './run-action.ts';

interface Options {
  publicUrl: string;
  image: string;
  tls: boolean;
  user?: InstallationInput['user'];
  json?: boolean;
}

export function addInitCommand(program: Command): void {
  addJsonOption(program.command('init'))
    .description('create compose.yaml, settings and random secrets in a folder (changes no file that exists)')
    .argument('[folder]', 'an existing folder, the current one by default', '.')
    .requiredOption('--public-url <url>', 'URL that clients use, such as https://health.example.com')
    .option('--image <name>', 'image of the service', 'tributary')
    .option('--no-tls', 'leave TLS to a proxy of your own instead of Caddy')
    .option('--user <uid:gid>', 'user of all containers; as root, 10001:10001 by default', parseUser)
    .action((folder: string, options: Options) => runAction(() => init(resolve(folder), options)));
}

async function init(folder: string, options: Options): Promise<void> {
  const { created, user } = await createInstallation({
    folder,
    publicUrl: options.publicUrl,
    image: options.image,
    usesTls: options.tls,
    user: options.user ?? null,
  });
  const text = `Created ${created.length} files in ${folder}. Secrets and data belong to user ${user.uid}, and so do the processes in all containers.

Next:
  1. Copy the folder secrets to a safe place, apart from backups of the database. Without
     secrets/encryption-keys, a backup cannot be used.
  2. Start it, in that folder:      docker compose up -d
  3. Create the first account:      docker compose run --rm tributary account create --name Example
     It prints API keys and the link to the dashboard, once.`;
  print(options, { folder, created, user: `${user.uid}:${user.gid}` }, text);
}

function parseUser(text: string): { uid: number; gid: number } {
  const [, uid, gid] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  if (uid === undefined || gid === undefined)
    throw new InvalidArgumentError('Use numbers, such as 10001:10001.');
  return { uid: Number(uid), gid: Number(gid) };
}
