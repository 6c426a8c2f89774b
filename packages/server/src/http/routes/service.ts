import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { listPublicKeys } from '../../services/signing-keys/list-public-keys.ts';
import { checkReadiness } from '../../ops/readiness.ts';
import type { Form } from '../parameters/choose-form.ts';
import { describeForm } from '../reference/describe-form.ts';
import type { App } from '../frame/app-type.ts';

export function registerServiceRoutes(app: App, ctx: Context): void {
  const ofForm: Record<Form, string | undefined> = { 1: undefined, 2: undefined };
  const describe = (form: Form): string =>
    (ofForm[form] ??= JSON.stringify(describeForm(app.swagger(), form)));

  app.get('/healthz', { schema: operations.getHealth }, () => ({ status: 'ok' as const }));

  app.get('/readyz', { schema: operations.getReadiness }, async (_request, reply) => {
    const readiness = await checkReadiness(ctx);
    return reply.code(readiness.status === 'ready' ? 200 : 503).send(readiness);
  });

  app.get('/openapi.json', { schema: operations.getOpenapi }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(app.swagger()) as never),
  );

  app.get('/openapi.form1.json', { schema: operations.getOpenapiForm1 }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(describe(1) as never),
  );

  app.get('/openapi.form2.json', { schema: operations.getOpenapiForm2 }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(describe(2) as never),
  );

  app.get('/.well-known/jwks.json', { schema: operations.getJwks }, async (_request, reply) => {
    reply.header('Cache-Control', 'public, max-age=60');
    return { keys: await listPublicKeys(ctx) };
  });
}
