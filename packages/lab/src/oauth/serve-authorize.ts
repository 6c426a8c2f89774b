import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RegisteredApp } from '../apps.ts';
import type { Person } from '../world/people/person.ts';
import type { OAuthPolicy } from '../provider.ts';
import { renderConsent, renderRefusal } from './authorize-page.ts';
import { checkAuthorize, returnTo } from './authorize-request.ts';
import type { Codes } from './codes.ts';
import type { GrantStore } from './grant-store.ts';

export interface AuthorizeParts {
  providerName: string;
  now: () => number;
  grants: GrantStore;
  codes: Codes;
  people: readonly Person[];
  findApp: (clientId: string) => RegisteredApp | undefined;
  findPerson: (id: string) => Person | undefined;
  userIdOf: (person: Person) => string;
}

type Fields = Record<string, string | string[] | undefined>;

/** Serves the consent page and handles its form. */
export function serveAuthorize(
  app: FastifyInstance,
  path: string,
  policy: OAuthPolicy,
  parts: AuthorizeParts,
): void {
  const handle = (fields: Fields, reply: FastifyReply): FastifyReply => {
    const single = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    );
    const { granted: _granted, decision, ...requestFields } = single;
    const checked = checkAuthorize(policy, requestFields, parts.findApp);
    if (checked.kind === 'stay') return page(reply, 400, renderRefusal(parts.providerName, checked.message));
    if (checked.kind === 'return') return reply.redirect(checked.to, 302);
    const { request } = checked;
    if (decision === undefined)
      return page(reply, 200, renderConsent(parts.providerName, request, parts.people, requestFields));

    if (decision !== 'allow')
      return reply.redirect(
        returnTo(request.redirectUri, { error: 'access_denied', state: request.state }),
        302,
      );
    const person = parts.findPerson(requestFields['person'] ?? '');
    if (!person)
      return page(
        reply,
        400,
        renderRefusal(
          parts.providerName,
          'The lab has no simulated user with this id. Choose one from the list.',
        ),
      );
    const ticked = fields['granted'] === undefined ? [] : [fields['granted']].flat();
    const scopes = request.scopes.filter((scope) => ticked.includes(scope));
    const grant = parts.grants.add({
      personId: person.id,
      clientId: request.app.clientId,
      scopes,
      userId: parts.userIdOf(person),
    });
    const code = parts.codes.issue({
      grantId: grant.id,
      clientId: grant.clientId,
      scopes,
      redirectUri: request.redirectUri,
      challenge: request.challenge,
      expiresAt: parts.now() + policy.codeSeconds * 1000,
    });
    const params = { code, state: request.state, scope: scopes.join(policy.scopeSeparator) };
    return reply.redirect(returnTo(request.redirectUri, params), 302);
  };
  app.get<{ Querystring: Fields }>(path, (request, reply) => handle(request.query, reply));
  app.post<{ Querystring: Fields; Body: Fields | undefined }>(path, (request, reply) =>
    handle({ ...request.query, ...request.body }, reply),
  );
}

function page(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    .type('text/html; charset=utf-8')
    .send(text);
}
