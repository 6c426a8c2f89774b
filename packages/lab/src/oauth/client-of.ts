import type { LabApp, OAuthPolicy } from '../provider.ts';
import { isSameSecret } from './secrets.ts';

/** The app that authenticates a token request. Null if the credentials are wrong or sent in a way that the provider does not accept. */
export function clientOf(
  policy: OAuthPolicy,
  fields: Record<string, string | undefined>,
  authorization: string | undefined,
  findApp: (clientId: string) => LabApp | undefined,
): LabApp | null {
  const credentials = credentialsFromHeader(policy, authorization) ?? credentialsFromBody(policy, fields);
  const app = credentials && findApp(credentials.id);
  return app && isSameSecret(credentials.secret, app.clientSecret) ? app : null;
}

function credentialsFromHeader(policy: OAuthPolicy, authorization: string | undefined) {
  const encoded = /^basic ([\w+/=-]+)$/i.exec(authorization ?? '')?.[1];
  if (policy.credentials === 'body' || !encoded) return null;
  const [id, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { id: id!, secret: rest.join(':') };
}

function credentialsFromBody(
  policy: OAuthPolicy,
  { client_id: id, client_secret: secret }: Record<string, string | undefined>,
) {
  return policy.credentials === 'basic' || !id || !secret ? null : { id, secret };
}
