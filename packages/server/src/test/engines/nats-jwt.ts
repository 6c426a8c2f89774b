import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

const { createAccount, createOperator, createUser } = nkeys;

type KeyPair = ReturnType<typeof createUser>;

/** Configuration of a server that accepts users of an account, and the credentials of such a user. */
export function createNatsAccount(): { config: string; createCredentials: (expiresAt?: number) => string } {
  const [operator, account] = [createOperator(), createAccount()];
  const operatorJwt = encodeJwt(operator, operator, 'operator', {});
  const accountJwt = encodeJwt(operator, account, 'account', { limits: unlimited });
  return {
    config: `operator: ${operatorJwt}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }
`,
    createCredentials(expiresAt) {
      const user = createUser();
      const claims = { subs: -1, data: -1, payload: -1 };
      const jwt = encodeJwt(account, user, 'user', claims, expiresAt);
      const seed = new TextDecoder().decode(user.getSeed());
      return `-----BEGIN NATS USER JWT-----
${jwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`;
    },
  };
}

const unlimited = {
  subs: -1,
  conn: -1,
  leaf: -1,
  imports: -1,
  exports: -1,
  data: -1,
  payload: -1,
  wildcards: true,
};

function encodeJwt(
  issuer: KeyPair,
  subject: KeyPair,
  type: string,
  claims: object,
  expiresAt?: number,
): string {
  const body = {
    iat: Math.floor(Date.now() / 1_000),
    ...(expiresAt && { exp: Math.ceil(expiresAt / 1_000) }),
    iss: issuer.getPublicKey(),
    name: type,
    sub: subject.getPublicKey(),
    nats: { ...claims, type, version: 2 },
  };
  const jti = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const parts = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { jti, ...body },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}
