import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const dayMs = 86_400_000;

/** A self-signed certificate and its key, both as PEM, for a test server. `*.` at the start of a name matches one label. */
export function createCertificate(names: readonly string[], expiresAt = Date.now() + dayMs) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('1.2.840.10045.4.3.2')); // ECDSA with SHA-256
  // Each certificate has its own name: of two trusted certificates with the same name, only the first is found.
  const name = Buffer.from(`Tributary test ${randomBytes(6).toString('hex')}`);
  const issuer = sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, name))));
  const alternatives = sequence(...names.map((host) => der(0x82, Buffer.from(host))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    algorithm,
    issuer,
    sequence(time(expiresAt - 2 * dayMs), time(expiresAt)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('2.5.29.17'), der(0x04, alternatives)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]);
  const bytes = sequence(content, algorithm, der(0x03, signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
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
