import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { dayMs, minuteMs } from '@tributary/domain';
import { jsonOf } from '../failure.ts';
import { fieldsOf, listOf, numberOf, textOf } from '../mapping/read.ts';
import type { AppApi } from '../provider.ts';
import { readMessage } from './protobuf.ts';

const path = '/googlehealthapi/webhooks/webhooks_public_keyset.json';
/** Keys rotate about every month. An unknown key triggers at most one fetch a minute, and known keys are fetched again each day. */
const soonestMs = minuteMs;
const oldestMs = dayMs;
const keyType = 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey';
/** SHA-256, P-256 and DER, in Tink's numbering. */
const parameters = { 1: 3, 2: 2, 3: 2 };

type Keys = ReadonlyMap<number, KeyObject>;
const lastReads = new Map<string, { atMs: number; keys: Promise<Keys> }>();

/** Whether Google signed a body: Tink's prefix byte, the key id in four bytes, then the signature. */
export async function isSigned(api: AppApi, body: Buffer, signature: string): Promise<boolean> {
  const blob = Buffer.from(signature, 'base64');
  if (blob.length < 6 || blob[0] !== 1) return false;
  const id = blob.readUInt32BE(1);
  const key = (await keysWith(api, id)).get(id);
  return key !== undefined && verify('sha256', body, { key, dsaEncoding: 'der' }, blob.subarray(5));
}

async function keysWith(api: AppApi, id: number): Promise<Keys> {
  const url = `${api.app.hosts['www']}${path}`;
  const last = lastReads.get(url);
  const age = last ? Math.abs(api.now() - last.atMs) : Infinity;
  if (last && age < soonestMs) return last.keys;
  if (last && age < oldestMs) {
    const keys = await last.keys.catch(() => null);
    if (keys?.has(id)) return keys;
  }
  // Another push may have started the fetch meanwhile.
  const latest = lastReads.get(url);
  if (latest && latest !== last) return latest.keys;
  const keys = readKeys(api, url);
  lastReads.set(url, { atMs: api.now(), keys });
  return keys;
}

async function readKeys(api: AppApi, url: string): Promise<Keys> {
  const keyset = fieldsOf(jsonOf(await api.send({ method: 'GET', url, bare: true })));
  const keys = new Map<number, KeyObject>();
  for (const entry of listOf(keyset['key']).map(fieldsOf)) {
    const id = numberOf(entry['keyId']);
    const key = entry['status'] === 'ENABLED' ? keyOf(entry['keyData']) : null;
    if (id !== null && key) keys.set(id, key);
  }
  return keys;
}

/** The key in a Tink message. Null for any other kind of key. */
function keyOf(keyData: unknown): KeyObject | null {
  const { typeUrl, value } = fieldsOf(keyData);
  if (typeUrl !== keyType) return null;
  try {
    const message = readMessage(Buffer.from(textOf(value) ?? '', 'base64'));
    const [params, x, y] = [message.bytes[2], message.bytes[3], message.bytes[4]];
    if (!params || !x || !y) return null;
    const { numbers } = readMessage(params);
    if (Object.entries(parameters).some(([field, number]) => numbers[Number(field)] !== number)) return null;
    return createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: coordinateOf(x), y: coordinateOf(y) },
      format: 'jwk',
    });
  } catch {
    return null;
  }
}

/** Tink writes coordinates as numbers, which may have a leading zero or fewer than 32 bytes. */
function coordinateOf(number: Buffer): string {
  return Buffer.concat([Buffer.alloc(32), number])
    .subarray(-32)
    .toString('base64url');
}
