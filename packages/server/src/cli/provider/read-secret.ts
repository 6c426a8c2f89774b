import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../config.ts';

const mostCharacters = 65_536;

/**
 * The content of a file, or of standard input with `-`, without trailing line breaks. Secrets are never arguments, because every user of a
 * machine can read those.
 */
export async function readSecret(path: string, option: string): Promise<string> {
  const content = (await readSecretFile(path, option)).replace(/[\r\n]+$/, '');
  if (content.trim() === '') throw new ConfigError(`${option}: ${nameOf(path)} is empty.`);
  if (content.length > mostCharacters)
    throw new ConfigError(`${option}: ${nameOf(path)} is longer than ${mostCharacters} characters.`);
  return content;
}

async function readSecretFile(path: string, option: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'file not found' : (code ?? String(error));
    throw new ConfigError(`${option}: cannot read ${path}: ${reason}.`);
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}
