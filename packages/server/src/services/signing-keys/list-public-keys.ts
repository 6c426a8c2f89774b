import type { Context } from '../../context.ts';
import { publicKeyOf } from '../../credentials/user-token.ts';

export interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  kid: string;
  alg: string;
  use: string;
}

/** Lists the public keys of all signing keys that may have signed a valid user token, newest first. */
export async function listPublicKeys(ctx: Pick<Context, 'credentials'>): Promise<PublicJwk[]> {
  const keys = await ctx.credentials.listSigningKeys();
  return keys.map((key) => {
    const { kty, crv, x } = publicKeyOf(key).export({ format: 'jwk' });
    return { kty: kty!, crv: crv!, x: x!, kid: key.id, alg: 'EdDSA', use: 'sig' };
  });
}
