import { readFileSync, statSync } from 'node:fs';

/** Larger than any secret or bundle of certificates. A larger file is a mistake. */
const mostBytes = 1_048_576;

/** The reason why the file of a setting cannot be used. Never contains its content or its path, which may be a secret that was set by mistake. */
export class SecretFileError extends Error {
  override name = 'SecretFileError';
}

/** Reads the text of a file without the line break that editors add at its end. */
export function readSecretFile(path: string): string {
  const text = decode(readBytes(path)).replace(/[\r\n]+$/, '');
  if (text.trim() === '') throw new SecretFileError('names an empty file');
  return text;
}

function readBytes(path: string): Buffer {
  try {
    const file = statSync(path);
    // Reading a pipe could wait forever.
    if (!file.isFile()) throw new SecretFileError('does not name a regular file');
    if (file.size > mostBytes) throw new SecretFileError('names a file of more than 1 MiB');
    return readFileSync(path);
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SecretFileError(`names a file that cannot be read (${code ?? 'unknown error'})`);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SecretFileError('names a file that is not UTF-8 text');
  }
}
