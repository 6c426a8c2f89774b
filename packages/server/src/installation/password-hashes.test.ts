import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashForPostgres, hashForRedis } from './password-hashes.ts';

// cSpell:ignore Afux biws
/** The exchange in RFC 7677 with the password `pencil`. */
const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const exchange = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=${nonce}`;
const clientProof = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
const serverSignature = '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

test('creates the verifier of PostgreSQL with the keys of RFC 7677', () => {
  const [, storedKey = '', serverKey = ''] =
    /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$(.+):(.+)$/.exec(hashForPostgres('pencil', salt)) ?? [];
  const sign = (key: string) => createHmac('sha256', Buffer.from(key, 'base64')).update(exchange).digest();
  expect(sign(serverKey).toString('base64')).toBe(serverSignature);
  const signature = sign(storedKey);
  const clientKey = Buffer.from(clientProof, 'base64').map((byte, at) => byte ^ signature[at]!);
  expect(createHash('sha256').update(clientKey).digest('base64')).toBe(storedKey);
});

test('creates a hash for access control lists of Redis', () => {
  expect(hashForRedis('password')).toBe('5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8');
});
