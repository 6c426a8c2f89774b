import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

const dayMs = 86_400_000;

/** A certificate and its key, both as PEM. */
interface TestCertificate {
  cert: string;
  key: string;
}

/** An authority that signs certificates for test servers and clients. */
interface TestAuthority extends TestCertificate {
  issue(names: readonly string[], expiresAt?: number): TestCertificate;
}

/** A self-signed certificate and its key for a test server. `*.` at the start of a name matches one label. */
export function createCertificate(names: readonly string[], expiresAt?: number): TestCertificate {
  const pair = newKeyPair();
  const name = newName();
  return certify(pair, { subject: name, names, expiresAt }, { name, privateKey: pair.privateKey });
}

export function createAuthority(): TestAuthority {
  const pair = newKeyPair();
  const name = newName();
  const signer = { name, privateKey: pair.privateKey };
  return {
    ...certify(pair, { subject: name, names: [], isAuthority: true }, signer),
    issue: (names, expiresAt) => certify(newKeyPair(), { subject: newName(), names, expiresAt }, signer),
  };
}

interface Subject {
  subject: Buffer;
  names: readonly string[];
  expiresAt?: number | undefined;
  isAuthority?: boolean;
}

function certify(
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  { subject, names, expiresAt = Date.now() + dayMs, isAuthority = false }: Subject,
  signer: { name: Buffer; privateKey: KeyObject },
): TestCertificate {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2')); // ECDSA with SHA-256
  const alternatives = sequence(
    ...names.map((name) =>
      isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
    ),
  );
  const extension = isAuthority
    ? sequence(
        oid('2.5.29.19'),
        der(0x01, Buffer.from([0xff])),
        der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
      )
    : sequence(oid('2.5.29.17'), der(0x04, alternatives));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    algorithm,
    signer.name,
    sequence(time(expiresAt - 2 * dayMs), time(expiresAt)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, signer.privateKey)]);
  const bytes = sequence(content, algorithm, der(0x03, signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function newKeyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Each certificate has its own name: of two trusted certificates with the same name, only the first is found. */
function newName(): Buffer {
  const name = Buffer.from(`Tributary test ${randomBytes(6).toString('hex')}`);
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, name))));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, ''); // 20260308190200Z
  return der(0x18, Buffer.from(digits));
}
