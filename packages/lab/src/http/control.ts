import type { FastifyInstance, FastifyReply } from 'fastify';
import { readForms } from './form-body.ts';
import { serveControlActions } from './control-actions.ts';
import { renderHome } from './home-page.ts';
import type { Lab } from '../lab-type.ts';
import type { Person } from '../world/people/person.ts';

const MOST_PUSHES = 500;

/** Serves the state of the lab: as JSON below `/lab`, and as an HTML page. */
export function serveControl(app: FastifyInstance, lab: Lab, people: readonly Person[]): void {
  readForms(app);
  serveControlActions(app, lab);

  app.get('/', (_request, reply) => sendPage(reply, renderHome(lab, people)));
  app.get('/lab/status', () => ({
    now: new Date(lab.clock.now()).toISOString(),
    seed: lab.seed,
    providers: lab.providers.map(({ id, name }) => ({ id, name, url: `${lab.url}/${id}` })),
    apps: lab.apps.map(({ clientId, name, redirectUris, pushUrls }) => ({
      client_id: clientId,
      name,
      redirect_uris: redirectUris,
      push_urls: pushUrls,
    })),
    faults: lab.faults.list().map(({ since: _since, until: _until, delayMs, ...fault }) => ({
      ...fault,
      ...(delayMs !== undefined && { delay_ms: delayMs }),
    })),
  }));
  app.get('/lab/people', () => ({
    people: people.map(({ id, name, timezone }) => ({ id, name, timezone })),
    more: 'person-<n> for any whole number n',
  }));
  app.get('/lab/grants', () => ({
    grants: lab.grants().map(({ personId, clientId, userId, ...grant }) => ({
      ...grant,
      person: personId,
      client_id: clientId,
      user_id: userId,
    })),
  }));
  app.get<{ Querystring: { provider?: string; person?: string } }>('/lab/pushes', ({ query }) => ({
    pushes: lab.pushes
      .list()
      .filter(({ provider }) => (query.provider ?? provider) === provider)
      .filter(({ push }) => (query.person ?? push.personId) === push.personId)
      .slice(-MOST_PUSHES)
      .map(({ id, provider, push, attempts, outcome }) => ({
        id,
        provider,
        person: push.personId,
        url: push.url,
        body: push.body,
        outcome,
        attempts: attempts.map(({ at, ...attempt }) => ({ at: new Date(at).toISOString(), ...attempt })),
      })),
  }));
  app.get('/lab/counts', () => Object.fromEntries(lab.providers.map(({ id }) => [id, lab.counts(id)])));
  app.get<{ Params: { person: string; date: string } }>('/lab/truth/:person/:date', (request, reply) => {
    const { person, date } = request.params;
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
      return reply.code(400).send({ error: 'Invalid date. Use the format YYYY-MM-DD.' });
    try {
      return lab.truth(person, date);
    } catch (error) {
      return reply.code(404).send({ error: (error as Error).message });
    }
  });
  // The end of a consent flow that was started without an app. It shows the code for copying.
  app.get<{ Querystring: Record<string, string> }>('/lab/callback', ({ query }) => query);
}

function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text);
}
