import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureEngineSecrets, findDemoAccount, parseRecord, saveDemoAccount } from './secrets.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const account = { account_id: 'acc_1', live_key: 'sk_live_1', sandbox_key: 'sk_sandbox_1' };
const mode = (name: string): number => statSync(join(dir, name)).mode & 0o777;

describe('ensureEngineSecrets', () => {
  test('creates them once, readable only by the owner, and reads them again', async () => {
    const secrets = await ensureEngineSecrets(dir);
    expect(mode('engines.json')).toBe(0o600);
    expect(await ensureEngineSecrets(dir)).toEqual(secrets);
    expect(Buffer.from(secrets.encryption_keys.replace('1:', ''), 'base64')).toHaveLength(32);
    expect(secrets.postgres_password).not.toBe(secrets.postgres_admin_password);
  });

  test('does not replace a damaged file, which may still contain the only key', async () => {
    writeFileSync(join(dir, 'engines.json'), '{"postgres_password":');
    await expect(ensureEngineSecrets(dir)).rejects.toThrow('engines.json is damaged');
  });
});

describe('demo account', () => {
  test('is absent at first, then the saved one', async () => {
    expect(await findDemoAccount(dir)).toBeNull();
    await saveDemoAccount(dir, account);
    expect(await findDemoAccount(dir)).toEqual(account);
    expect(mode('demo.json')).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['demo.json']);
  });
});

describe('parseRecord', () => {
  test.each(['', 'null', '[]', '{"account_id":1}', '{}'])('rejects %j', (text) => {
    expect(parseRecord(text, ['account_id'])).toBeNull();
  });

  test('keeps only the named fields', () => {
    expect(parseRecord('{"a":"1","b":"2"}', ['a'])).toEqual({ a: '1' });
  });
});
