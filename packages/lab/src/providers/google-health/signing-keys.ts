import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

interface SigningKey {
  id: number;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface SigningKeys {
  /** The signature of a body in base64: a prefix byte, the key id and the signature itself. */
  sign: (body: string) => string;
  keyset: () => Record<string, unknown>;
}

/** About one month. */
const rotationMs = 30 * 86_400_000;

/** Stores the keys that sign pushes and rotates them every month. */
export function keepSigningKeys(now: () => number): SigningKeys {
  const keys = new Map<number, SigningKey>();
  const keyOf = (month: number): SigningKey => {
    const known = keys.get(month);
    if (known) return known;
    const key = { id: randomBytes(4).readUInt32BE(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
    keys.set(month, key);
    return key;
  };
  const monthNow = (): number => Math.floor(now() / rotationMs);
  return {
    sign: (body) => {
      const { id, privateKey } = keyOf(monthNow());
      const head = Buffer.alloc(5);
      head.writeUInt8(1, 0);
      head.writeUInt32BE(id, 1);
      return Buffer.concat([head, sign('sha256', Buffer.from(body), privateKey)]).toString('base64');
    },
    keyset: () => ({
      primaryKeyId: keyOf(monthNow()).id,
      // The previous key stays valid for pushes in flight.
      key: [keyOf(monthNow() - 1), keyOf(monthNow())].map(({ id, publicKey }) => ({
        keyData: {
          typeUrl: 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey',
          value: messageOf(publicKey).toString('base64'),
          keyMaterialType: 'ASYMMETRIC_PUBLIC',
        },
        status: 'ENABLED',
        keyId: id,
        outputPrefixType: 'TINK',
      })),
    }),
  };
}

/** Serves the public keys without authentication. */
export function serveKeyset(app: FastifyInstance, keys: SigningKeys): void {
  app.get('/www/googlehealthapi/webhooks/webhooks_public_keyset.json', () => keys.keyset());
}

/** The key as a Tink protobuf message: SHA-256, P-256 and DER, then both coordinates. */
function messageOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    field(0x12, Buffer.from([0x08, 3, 0x10, 2, 0x18, 2])),
    field(0x1a, Buffer.from(x, 'base64url')),
    field(0x22, Buffer.from(y, 'base64url')),
  ]);
}

function field(tag: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
}
