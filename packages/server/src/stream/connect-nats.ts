import {
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  type TlsOptions,
} from '@nats-io/transport-node';
import { readUrlCredentials, type NatsAuthentication, type NatsSettings } from './nats-settings.ts';

/** Connects once. The connection then reconnects on its own, indefinitely, with the secrets and certificates of that time. */
export function connectNats(
  { servers, authentication, tls }: NatsSettings,
  options: NodeConnectionOptions,
): Promise<NatsConnection> {
  const authenticator = authenticatorOf(authentication);
  return connect({
    servers,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    pingInterval: 5_000,
    maxPingOut: 2,
    // A host that accepts a connection and says nothing must not delay the next attempt.
    timeout: 3_000,
    // By default, the client gives up for good when its credentials are rejected twice. They may be rotated later.
    ignoreAuthErrorAbort: true,
    ...(authenticator && { authenticator }),
    ...(tls && { tls: tlsOf(tls) }),
    ...options,
  });
}

/** The client evaluates these properties for each connection. */
function tlsOf({ host, files }: NonNullable<NatsSettings['tls']>): TlsOptions {
  const options = {
    get ca() {
      return files?.read().ca;
    },
    get cert() {
      return files?.read().cert;
    },
    get key() {
      return files?.read().key;
    },
    // Without it, the certificate of an address would have to name localhost.
    ...(host !== undefined && { host }),
  };
  return options as TlsOptions;
}

/** The client calls an authenticator for each connection, and gives up for good if one throws. Without credentials, the server rejects the attempt. */
function authenticatorOf(authentication: NatsAuthentication): Authenticator | null {
  const authenticator = readingAuthenticator(authentication);
  if (authenticator === null) return null;
  return (nonce) => {
    try {
      return authenticator(nonce);
    } catch {
      return undefined;
    }
  };
}

function readingAuthenticator(authentication: NatsAuthentication): Authenticator | null {
  switch (authentication.kind) {
    case 'none':
      return null;
    case 'url':
      return () => {
        const { user, password } = readUrlCredentials(authentication.url)!;
        return { user, pass: password };
      };
    case 'password':
      return () => ({ user: authentication.user, pass: authentication.password.read() });
    case 'token':
      return () => ({ auth_token: authentication.token.read() });
    case 'nkey':
      return nkeyAuthenticator(() => encode(authentication.seed.read()));
    case 'credentials':
      // The client expects a line break after the last line.
      return credsAuthenticator(() =>
        encode(`${authentication.credentials.read().replaceAll('\r\n', '\n')}\n`),
      );
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
