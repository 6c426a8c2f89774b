import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appAt } from '../apps.ts';
import type { Counts } from '../world/counts.ts';
import type { IssuedTokens, OAuth, OAuthPolicy, Push, TokenProblem } from '../provider.ts';
import { clientOf } from './client-of.ts';
import { isVerified, keepCodes } from './codes.ts';
import { keepGrants } from './grant-store.ts';
import { serveAuthorize, type AuthorizeParts } from './serve-authorize.ts';
import { keepTokens } from './tokens.ts';

export interface OAuthParts extends Omit<AuthorizeParts, 'grants' | 'codes'> {
  provider: string;
  counts: Counts;
  sendPush: (push: Push) => void;
}

/** Serves the consent page, codes and tokens of a provider. */
export function openOAuth(app: FastifyInstance, parts: OAuthParts): OAuth {
  const { provider, counts, now } = parts;
  const grants = keepGrants(provider, counts);
  const codes = keepCodes(now);
  const tokens = keepTokens(now, grants, counts);
  const findApp = (clientId: string) => {
    const registeredApp = parts.findApp(clientId);
    return registeredApp && appAt(registeredApp, provider);
  };

  const exchange = (
    policy: OAuthPolicy,
    clientId: string,
    { code: secret, redirect_uri: redirectUri, code_verifier: verifier }: Record<string, string | undefined>,
  ): IssuedTokens | TokenProblem => {
    if (!secret) return 'invalid_request';
    const code = codes.take(secret);
    if (!code || code.clientId !== clientId) return 'invalid_grant';
    if (redirectUri !== undefined && redirectUri !== code.redirectUri) return 'invalid_grant';
    if (!isVerified(code.challenge, verifier)) return 'invalid_grant';
    const grant = grants.find(code.grantId);
    if (!grant || grant.revoked) return 'invalid_grant';
    counts.codes += 1;
    return tokens.issue(policy, grant);
  };
  const token: OAuth['token'] = (policy, fields, authorization) => {
    // A field that is sent twice is a list.
    if (Object.values(fields).some((value) => typeof value === 'object')) return 'invalid_request';
    const client = clientOf(policy, fields, authorization, findApp);
    if (!client) return 'invalid_client';
    if (fields['grant_type'] === 'authorization_code') return exchange(policy, client.clientId, fields);
    if (fields['grant_type'] !== 'refresh_token' || policy.refresh.kind === 'none')
      return 'unsupported_grant_type';
    const refreshToken = fields['refresh_token'];
    if (!refreshToken) return 'invalid_request';
    return tokens.refresh(policy, client.clientId, refreshToken) ?? 'invalid_grant';
  };

  return {
    serveAuthorize: (path, policy) => serveAuthorize(app, path, policy, { ...parts, grants, codes }),
    token: (policy, fields, authorization) => {
      const issued = token(policy, fields, authorization);
      if (typeof issued === 'string') counts.refusedTokens += 1;
      return issued;
    },
    grantOf: (request: FastifyRequest) => {
      const bearer = /^bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
      return bearer === undefined ? null : tokens.grantOf(bearer);
    },
    grantOfToken: tokens.grantOf,
    grants: grants.list,
    revoke: grants.revoke,
    onRevoked: (listener) =>
      grants.onRevoked((grant) => {
        for (const push of listener(grant)) parts.sendPush(push);
      }),
  };
}
