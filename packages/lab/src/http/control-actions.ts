import type { FastifyInstance } from 'fastify';
import { completeApp } from '../apps.ts';
import { defaultRateOf, FAULT_KINDS, type FaultKind } from '../world/faults.ts';
import type { Lab } from '../lab-type.ts';

const HOUR = 3_600_000;
const YEAR = 366 * 24 * HOUR;

const text = { type: 'string', minLength: 1, maxLength: 2000 };
const bodyOf = (properties: object, ...required: string[]) => ({
  schema: { body: { type: 'object', properties, required, additionalProperties: false } },
});

interface FaultBody {
  kind: FaultKind;
  rate?: number;
  provider?: string;
  person?: string;
  delay_ms?: number;
}

interface AppBody {
  client_id: string;
  client_secret?: string;
  name?: string;
  redirect_uris?: string[];
  push_urls?: Record<string, string>;
}

/** Serves the control API that changes the lab. */
export function serveControlActions(app: FastifyInstance, lab: Lab): void {
  app.post<{ Body: { to?: string; hours?: number } }>(
    '/lab/clock',
    bodyOf({ to: text, hours: { type: 'number', minimum: 0, maximum: YEAR / HOUR } }),
    async ({ body }, reply) => {
      const to = body.to === undefined ? lab.clock.now() + (body.hours ?? 0) * HOUR : Date.parse(body.to);
      const ahead = to - lab.clock.now();
      if (!(ahead >= 0 && ahead <= YEAR))
        return reply.code(400).send({
          error:
            'The clock only moves forward, by at most one year. Set `hours`, or set `to` to a later time such as 2026-03-29T10:00:00Z.',
        });
      await lab.clock.moveTo(Math.max(to, lab.clock.now()));
      return { now: new Date(lab.clock.now()).toISOString() };
    },
  );
  app.post<{ Body: FaultBody }>(
    '/lab/faults',
    bodyOf(
      {
        kind: { enum: FAULT_KINDS },
        rate: { type: 'number', minimum: 0, maximum: 1 },
        provider: { enum: lab.providers.map(({ id }) => id) },
        person: text,
        delay_ms: { type: 'integer', minimum: 0, maximum: 60_000 },
      },
      'kind',
    ),
    ({ body: { delay_ms: delayMs, rate, ...fault } }, reply) => {
      const { id } = lab.faults.on({
        ...fault,
        rate: rate ?? defaultRateOf(fault.kind),
        ...(delayMs !== undefined && { delayMs }),
      });
      return reply.code(201).send({ id });
    },
  );
  app.delete('/lab/faults', (_request, reply) => {
    lab.faults.off();
    return reply.code(204).send();
  });
  app.delete<{ Params: { id: string } }>('/lab/faults/:id', ({ params }, reply) => {
    const isOn = lab.faults.list().some(({ id }) => String(id) === params.id);
    if (!isOn)
      return reply
        .code(404)
        .send({ error: 'No active fault has this id. List active faults with GET /lab/status.' });
    lab.faults.off(Number(params.id));
    return reply.code(204).send();
  });
  app.delete<{ Params: { id: string } }>('/lab/grants/:id', ({ params }, reply) =>
    lab.revoke(params.id)
      ? reply.code(204).send()
      : reply.code(404).send({ error: 'No grant has this id. List grants with GET /lab/grants.' }),
  );
  app.post<{ Body: AppBody }>(
    '/lab/apps',
    bodyOf(
      {
        client_id: text,
        client_secret: text,
        name: text,
        redirect_uris: { type: 'array', maxItems: 20, items: { ...text, format: 'uri' } },
        push_urls: { type: 'object', maxProperties: 50, additionalProperties: { ...text, format: 'uri' } },
      },
      'client_id',
    ),
    ({ body }, reply) => {
      const known = lab.apps.find(({ clientId }) => clientId === body.client_id);
      const changes = {
        clientId: body.client_id,
        ...(body.client_secret !== undefined && { clientSecret: body.client_secret }),
        ...(body.name !== undefined && { name: body.name }),
        ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
        ...(body.push_urls && { pushUrls: body.push_urls }),
      };
      if (known) Object.assign(known, changes);
      else lab.apps.push(completeApp(changes, lab.url));
      return reply.code(known ? 200 : 201).send({ client_id: body.client_id });
    },
  );
}
