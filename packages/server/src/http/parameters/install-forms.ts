import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { callerOf } from '../frame/auth.ts';
import { decideForm, type Form } from './choose-form.ts';
import { metadataOf } from '../frame/route-metadata.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every operation that has two forms. */
    form: Form | null;
  }
}

/** Selects the form of each request that has two, before its shape is checked. */
export function installForms(app: FastifyInstance): void {
  app.decorateRequest('form', null);
  app.addHook('preValidation', (request, reply, done) => {
    const operationId = metadataOf(request).operationWithForms;
    if (operationId === null) return done();
    reply.header('Vary', 'Authorization, API-Form');
    try {
      request.form = decideForm({
        operationId,
        header: request.headers['api-form'] as string | undefined,
        query: request.query as object,
        body: request.body,
        accountDefault: callerOf(request).account.defaultForm,
      });
    } catch (error) {
      return done(error as Error);
    }
    reply.header('API-Form', request.form === 1 ? '1' : '2');
    done();
  });
}

/** Sends `body` according to this schema. Operations with two forms have no single response schema for the framework to use. */
export function sendAs(reply: FastifyReply, schema: TSchema, body: object): FastifyReply {
  const serialized = reply.serializeInput(body as Record<string, unknown>, schema as Record<string, unknown>);
  return reply.type('application/json; charset=utf-8').send(serialized);
}
