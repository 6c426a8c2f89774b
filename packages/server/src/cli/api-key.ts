import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigError, readApiKey } from '../config.ts';

const variable = 'TRIBUTARY_API_KEY';

/**
 * The API key of a command that calls the API: from a file, the environment, or a prompt. Never an argument, which every user of the
 * machine can see.
 */
export async function findApiKey(keyFile: string | undefined): Promise<string> {
  const key = keyFile === undefined ? (readApiKey() ?? (await promptForKey())) : await readKeyFile(keyFile);
  if (!/^sk_(live|sandbox)_\w+$/.test(key))
    throw new ConfigError(
      `Invalid API key: a key starts with sk_live_ or sk_sandbox_. Check ${keyFile ?? variable}, or create a key with \`tributary key create\`.`,
    );
  return key;
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new ConfigError(`Could not read the API key: ${(error as Error).message}`);
  }
}

async function promptForKey(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new ConfigError(
      `No API key. Set ${variable}, or pass the path of a file that contains one with --key-file.`,
    );
  process.stderr.write('API key (hidden): ');
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  using prompt = createInterface({ input: process.stdin, output: silence, terminal: true });
  const key = await prompt.question('');
  process.stderr.write('\n');
  return key.trim();
}
