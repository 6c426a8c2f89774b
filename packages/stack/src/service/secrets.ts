import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackError } from '../errors.ts';

/** The secrets that the engines and the service need again on the next start. */
export interface EngineSecrets {
  postgres_admin_password: string;
  postgres_password: string;
  encryption_keys: string;
}

export interface DemoAccount {
  account_id: string;
  live_key: string;
  sandbox_key: string;
  /** The link with which the first owner joins, valid on the day the account was created. */
  owner_url?: string;
}

/** Reads the secrets of a folder, or creates them on the first start. */
export async function ensureEngineSecrets(dir: string): Promise<EngineSecrets> {
  const file = join(dir, 'engines.json');
  const storedSecrets = await readRecord(file, [
    'postgres_admin_password',
    'postgres_password',
    'encryption_keys',
  ]);
  if (storedSecrets !== null) return storedSecrets;
  const secrets: EngineSecrets = {
    postgres_admin_password: randomBytes(24).toString('hex'),
    postgres_password: randomBytes(24).toString('hex'),
    encryption_keys: `1:${randomBytes(32).toString('base64')}`,
  };
  await writeSecret(file, secrets);
  return secrets;
}

export function findDemoAccount(dir: string): Promise<DemoAccount | null> {
  return readRecord(join(dir, 'demo.json'), ['account_id', 'live_key', 'sandbox_key']);
}

/** Settings that the stack has applied to the demo account. An older stack lacks some of them. */
export interface DemoSettings {
  organization: string;
  redirect_url: string;
}

export async function readDemoSettings(dir: string): Promise<Partial<DemoSettings>> {
  const text = await readFile(join(dir, 'demo.json'), 'utf8');
  return { ...parseRecord(text, ['organization']), ...parseRecord(text, ['redirect_url']) };
}

export function saveDemoAccount(dir: string, account: DemoAccount & Partial<DemoSettings>): Promise<void> {
  return writeSecret(join(dir, 'demo.json'), account);
}

/** Lets `npm run tributary` use this stack. Single quotes keep every value literal. */
export async function saveCommandEnvironment(dir: string, env: Record<string, string>): Promise<void> {
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
  await writePrivate(join(dir, 'command.env'), lines.join(''));
}

async function readRecord<Key extends string>(
  file: string,
  keys: readonly Key[],
): Promise<Record<Key, string> | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const record = parseRecord(text, keys);
  if (record === null) throw new StackError(`${file} is damaged. It must contain ${keys.join(', ')}.`);
  return record;
}

/** Parses a JSON object whose named fields are all strings. */
export function parseRecord<Key extends string>(
  text: string,
  keys: readonly Key[],
): Record<Key, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  if (!keys.every((key) => typeof fields.get(key) === 'string')) return null;
  return Object.fromEntries(keys.map((key) => [key, fields.get(key)])) as Record<Key, string>;
}

// Written to a temporary file and renamed, so that a crash never leaves a partial file.
async function writePrivate(file: string, text: string): Promise<void> {
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, text, { mode: 0o600 });
  await rename(aside, file);
}

function writeSecret(file: string, value: object): Promise<void> {
  return writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
}
