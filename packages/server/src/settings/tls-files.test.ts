import { afterEach, beforeEach, expect, test } from 'vitest';
import { EnvironmentReader } from '../environment-reader.ts';
import { createAuthority } from '../test/certificate.ts';
import { createTestFolder, type TestFolder } from '../test/engines/private-engine.ts';
import { readTlsFiles } from './tls-files.ts';

let folder: TestFolder;
beforeEach(() => (folder = createTestFolder()));
afterEach(() => folder[Symbol.dispose]());

const authority = createAuthority();
const [first, second] = [authority.issue(['a']), authority.issue(['b'])];

function read(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  const files = readTlsFiles(reader, 'NATS');
  reader.throwProblems();
  return files;
}

test('is null without settings', () => {
  expect(read({})).toBeNull();
});

test('reads renewed certificates only when certificate and key match', () => {
  const files = read({
    NATS_CA_FILE: folder.write('ca', authority.cert),
    NATS_CERT_FILE: folder.write('cert', first.cert),
    NATS_KEY_FILE: folder.write('key', first.key),
  })!;
  const before = files.read();
  expect(before).toEqual({ ca: authority.cert.trim(), cert: first.cert.trim(), key: first.key.trim() });
  folder.write('cert', second.cert);
  expect(files.read()).toEqual(before);
  folder.write('key', second.key);
  expect(files.read()).toMatchObject({ cert: second.cert.trim(), key: second.key.trim() });
  folder.write('ca', 'half of a cert');
  expect(files.read()).toMatchObject({ ca: authority.cert.trim() });
});

test.each([
  [{ NATS_CERT_FILE: first.cert }, 'NATS_CERT_FILE and NATS_KEY_FILE must be set together'],
  [{ NATS_CA_FILE: 'text' }, 'NATS_CA_FILE names a file that does not contain a certificate, as PEM'],
  [
    { NATS_CERT_FILE: first.cert, NATS_KEY_FILE: 'text' },
    'NATS_KEY_FILE names a file that does not contain a private key',
  ],
  [
    { NATS_CERT_FILE: first.cert, NATS_KEY_FILE: second.key },
    'NATS_KEY_FILE names a key that does not belong to the certificate',
  ],
  [{ NATS_CA_FILE: '' }, 'NATS_CA_FILE names an empty file'],
])('rejects %j', (contents, problem) => {
  const env = Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [name, folder.write(name, content)]),
  );
  expect(() => read(env)).toThrow(problem);
});
