import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { EnvironmentReader } from '../environment-reader.ts';
import { readSecretFile, SecretFileError } from './secret-file.ts';

/** The certificates and the key of TLS connections to an engine, as PEM. Node.js trusts its own authorities if there is no `ca`. */
interface TlsMaterial {
  ca?: string;
  cert?: string;
  key?: string;
}

type TlsPaths = Record<keyof TlsMaterial, string | undefined>;

/** Reads the files of TLS connections again for each connection, so that operators can rotate certificates without a restart. */
export class TlsFiles {
  readonly #paths: TlsPaths;
  #last: TlsMaterial;

  constructor(paths: TlsPaths, material: TlsMaterial) {
    this.#paths = paths;
    this.#last = material;
  }

  /** The current certificates. While the files cannot be read or do not match, the previous ones remain in use. */
  read(): TlsMaterial {
    try {
      this.#last = readMaterial(this.#paths, (_, reason) => {
        throw new SecretFileError(reason);
      });
    } catch {
      // Of a certificate and its key, one may have been replaced before the other.
    }
    return this.#last;
  }
}

/** Reads `<prefix>_CA_FILE`, `<prefix>_CERT_FILE` and `<prefix>_KEY_FILE`. Null if none is set. */
export function readTlsFiles(env: EnvironmentReader, prefix: string): TlsFiles | null {
  const settings = { ca: `${prefix}_CA_FILE`, cert: `${prefix}_CERT_FILE`, key: `${prefix}_KEY_FILE` };
  const paths = {
    ca: env.optional(settings.ca),
    cert: env.optional(settings.cert),
    key: env.optional(settings.key),
  };
  if (paths.ca === undefined && paths.cert === undefined && paths.key === undefined) return null;
  if ((paths.cert === undefined) !== (paths.key === undefined))
    env.problem(`${settings.cert} and ${settings.key} must be set together`);
  const material = readMaterial(paths, (part, reason) => env.problem(`${settings[part]} ${reason}`));
  return new TlsFiles(paths, material);
}

function readMaterial(
  paths: TlsPaths,
  onProblem: (part: keyof TlsMaterial, reason: string) => void,
): TlsMaterial {
  const material: TlsMaterial = {};
  for (const part of ['ca', 'cert', 'key'] as const) {
    const path = paths[part];
    if (path === undefined) continue;
    try {
      const text = readSecretFile(path);
      if (part === 'key') createPrivateKey(text);
      else new X509Certificate(text);
      material[part] = text;
    } catch (error) {
      const kind = part === 'key' ? 'private key without a passphrase' : 'certificate';
      onProblem(
        part,
        error instanceof SecretFileError
          ? error.message
          : `names a file that does not contain a ${kind}, as PEM`,
      );
    }
  }
  const { cert, key } = material;
  if (cert && key && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    onProblem('key', 'names a key that does not belong to the certificate');
  return material;
}
