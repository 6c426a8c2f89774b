import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../config.ts';

const mostCharacters = 65_536;

/** What a file holds, or standard input with `-`, without the line ends behind it: secrets do not go by arguments, which everybody on a machine can read. */
export async function readSecret(path: string, option: string): Promise<string> {
  const content = (await readGiven(path, option)).replace(/[\r\n]+$/, '');
  if (content.trim() === '') throw new ConfigError(`${option}: ${nameOf(path)} is empty.`);
  if (content.length > mostCharacters)
    throw new ConfigError(`${option}: ${nameOf(path)} has more than ${mostCharacters} characters.`);
  return content;
}

async function readGiven(path: string, option: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : (code ?? String(error));
    throw new ConfigError(`${option}: ${path} cannot be read: ${reason}.`);
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}
