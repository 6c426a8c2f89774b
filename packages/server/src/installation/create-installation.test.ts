import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createInstallation, parsePublicUrl, type InstallationInput } from './create-installation.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

const input = (changes: Partial<InstallationInput> = {}): InstallationInput => ({
  folder,
  publicUrl: 'https://health.example.com',
  image: 'tributary',
  usesTls: true,
  user: null,
  ...changes,
});
const read = (path: string) => readFile(join(folder, path), 'utf8');

describe('tributary init', () => {
  test('writes secrets that only the user of the containers can read', async () => {
    const { user } = await createInstallation(input());
    const uid = process.getuid!() === 0 ? 10_001 : process.getuid!();
    expect(user.uid).toBe(uid);
    const names = await readdir(join(folder, 'secrets'));
    expect(names).toHaveLength(10);
    for (const name of names) {
      const { mode, uid: owner } = await stat(join(folder, 'secrets', name));
      expect([name, mode & 0o777, owner]).toEqual([name, 0o600, uid]);
    }
    for (const name of ['secrets', 'data/postgres', 'data/nats', 'data/caddy']) {
      const { mode, uid: owner } = await stat(join(folder, name));
      expect([name, mode & 0o777, owner]).toEqual([name, 0o700, uid]);
    }
    expect((await stat(join(folder, 'tributary.env'))).mode & 0o777).toBe(0o600);
  });

  test('creates different secrets each time, with 256 random bits', async () => {
    await createInstallation(input());
    const other = await mkdtemp(join(tmpdir(), 'tributary-init-'));
    try {
      await createInstallation(input({ folder: other }));
      for (const name of await readdir(join(folder, 'secrets')))
        expect(await read(`secrets/${name}`)).not.toBe(await readFile(join(other, 'secrets', name), 'utf8'));
    } finally {
      await rm(other, { recursive: true });
    }
    for (const name of [
      'database-password',
      'database-owner-password',
      'postgres-password',
      'redis-password',
    ])
      expect(Buffer.from(await read(`secrets/${name}`), 'base64url')).toHaveLength(32);
  });

  test('gives engines no password', async () => {
    await createInstallation(input());
    const secrets = await Promise.all(
      ['database-password', 'database-owner-password', 'redis-password', 'nats-nkey-seed'].map((name) =>
        read(`secrets/${name}`),
      ),
    );
    for (const name of ['postgres-roles.sql', 'valkey-users.acl', 'nats-users.conf'])
      for (const secret of secrets) expect(await read(`secrets/${name}`)).not.toContain(secret.trim());
  });

  test('writes settings that the service accepts in production', async () => {
    await createInstallation(input());
    const file = (name: string) => join(folder, 'secrets', name);
    const config = readConfig({
      PUBLIC_URL: /^PUBLIC_URL=(.*)$/m.exec(await read('.env'))![1]!,
      DATABASE_URL: 'postgres://tributary@postgres:5432/tributary',
      DATABASE_PASSWORD_FILE: file('database-password'),
      NATS_URL: 'nats://nats:4222',
      NATS_NKEY_SEED_FILE: file('nats-nkey-seed'),
      REDIS_URL: 'redis://valkey:6379',
      REDIS_PASSWORD_FILE: file('redis-password'),
      ENCRYPTION_KEYS_FILE: file('encryption-keys'),
    });
    expect(config.http.publicUrl).toBe('https://health.example.com');
    expect(config.secrets.encryptionKeys[0]!.key).toHaveLength(32);
  });

  test('copies compose.yaml, and mounts only files that exist', async () => {
    const { created } = await createInstallation(input());
    const compose = await read('compose.yaml');
    const mounted = [...compose.matchAll(/(?:file: |')\.\/((?:secrets|deploy\/compose)\/[\w./-]+)/g)].map(
      ([, path]) => path!,
    );
    expect(mounted.length).toBeGreaterThan(10);
    for (const path of mounted) expect(created).toContain(path);
  });

  test('leaves TLS to another proxy', async () => {
    await createInstallation(input({ usesTls: false, publicUrl: 'https://10.0.0.5:8443/' }));
    expect(await read('.env')).toContain('\nCOMPOSE_PROFILES=\n');
    expect(await read('.env')).toContain('\nPUBLIC_URL=https://10.0.0.5:8443\n');
  });

  test('changes nothing in a folder with an installation', async () => {
    await createInstallation(input());
    const before = await read('secrets/encryption-keys');
    await expect(createInstallation(input())).rejects.toThrow('Nothing was written');
    expect(await read('secrets/encryption-keys')).toBe(before);
  });

  test('writes nothing if any of its files exists', async () => {
    await writeFile(join(folder, 'tributary.env'), 'MAIL_FROM=a@example.com\n');
    await expect(createInstallation(input())).rejects.toThrow(/tributary\.env/);
    expect(await readdir(folder)).toEqual(['tributary.env']);
  });

  test('refuses a folder with data that needs other secrets', async () => {
    await mkdir(join(folder, 'data/postgres'), { recursive: true });
    await writeFile(join(folder, 'data/postgres/PG_VERSION'), '17\n');
    await expect(createInstallation(input())).rejects.toThrow('data of an earlier installation');
    expect(await readdir(folder)).toEqual(['data']);
  });

  test('refuses a folder that does not exist, and containers that run as root', async () => {
    await expect(createInstallation(input({ folder: join(folder, 'missing') }))).rejects.toThrow(
      'is not a folder',
    );
    await expect(createInstallation(input({ user: { uid: 0, gid: 0 } }))).rejects.toThrow('must not be 0');
  });
});

describe('the public URL', () => {
  test.each([
    ['http://health.example.com', true, 'must start with https://'],
    ['health.example.com', true, 'is not a URL'],
    ['https://health.example.com/api', true, 'must be only'],
    ['https://user:password@health.example.com', true, 'must be only'],
    ['https://health.example.com?x=1', true, 'must be only'],
    ['https://10.0.0.5', true, 'host name with a domain'],
    ['https://[::1]', true, 'host name with a domain'],
    ['https://health', true, 'host name with a domain'],
  ])('rejects %s', (url, usesTls, message) => {
    expect(() => parsePublicUrl(url, usesTls)).toThrow(message);
  });

  test.each([
    ['https://health.example.com/', true],
    ['https://localhost:8443', true],
    ['https://10.0.0.5', false],
  ])('accepts %s', (url, usesTls) => {
    expect(parsePublicUrl(url, usesTls).protocol).toBe('https:');
  });
});
