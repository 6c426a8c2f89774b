import type { FastifyInstance } from 'fastify';

/** Parses forms. A field that is sent more than once becomes a list. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, body, done) => done(null, fieldsOf(String(body))),
  );
}

function fieldsOf(body: string): Record<string, string | string[]> {
  const form = new URLSearchParams(body);
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
