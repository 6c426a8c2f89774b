import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EnvironmentReader } from '../environment-reader.ts';
import { readSecretFile } from './secret-file.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tributary-secret-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(content: string | Buffer): string {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  return path;
}

test.each(['hunter2', 'hunter2\n', 'hunter2\r\n', 'hunter2\n\n'])(
  'removes the line break at the end of %j',
  (text) => {
    expect(readSecretFile(write(text))).toBe('hunter2');
  },
);

test('keeps spaces and line breaks inside', () => {
  expect(readSecretFile(write(' one\ntwo \n'))).toBe(' one\ntwo ');
});

describe('problems', () => {
  const read = (env: Record<string, string>) => {
    const reader = new EnvironmentReader(env);
    reader.secret('NAME');
    reader.throwProblems();
  };

  test.each([
    ['', 'names an empty file'],
    ['\n', 'names an empty file'],
    ['x'.repeat(1_048_577), 'names a file of more than 1 MiB'],
    [Buffer.from([0x68, 0xff]), 'names a file that is not UTF-8 text'],
  ])('of the content', (content, problem) => {
    expect(() => read({ NAME_FILE: write(content) })).toThrow(`NAME_FILE ${problem}`);
  });

  test('of a file that is missing, without its path', () => {
    // Someone may set the secret itself instead of a path.
    expect(() => read({ NAME_FILE: 'hunter2' })).toThrow(
      'NAME_FILE names a file that cannot be read (ENOENT)',
    );
    expect(() => read({ NAME_FILE: 'hunter2' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });

  test('of something that is no file', () => {
    mkdirSync(join(folder, 'directory'));
    for (const path of [join(folder, 'directory'), '/dev/zero'])
      expect(() => read({ NAME_FILE: path })).toThrow('NAME_FILE does not name a regular file');
  });

  test('of a secret that is set twice', () => {
    expect(() => read({ NAME: 'one', NAME_FILE: write('two') })).toThrow(
      'NAME and NAME_FILE are both set: remove one of them',
    );
  });
});

describe('a secret', () => {
  const secretOf = (env: Record<string, string>) => new EnvironmentReader(env).secret('NAME')!;

  test('is read again from its file, and keeps its value while the file cannot be read', () => {
    const secret = secretOf({ NAME_FILE: write('first') });
    expect(secret.read()).toBe('first');
    const path = write('second\n');
    expect(secret.read()).toBe('second');
    for (const break_ of [() => writeFileSync(path, ''), () => rmSync(path)]) {
      break_();
      expect(secret.read()).toBe('second');
    }
    write('third');
    expect(secret.read()).toBe('third');
  });

  test('is not printed', () => {
    const secret = secretOf({ NAME: 'hunter2' });
    expect(JSON.stringify(secret) + inspect(secret, { showHidden: true, depth: 9 })).not.toContain('hunter2');
    expect(secret.read()).toBe('hunter2');
  });
});
