import type { FastifyInstance } from 'fastify';
import { badBody } from '../frame/errors.ts';

const deepest = 32;

/** Parses JSON bodies and checks their nesting depth before building anything. */
export function installJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (text === '') {
      // Many clients send a content type without a body.
      if (!request.routeOptions.schema?.body) return done(null, undefined);
      return done(badBody('This endpoint requires a JSON body.'), undefined);
    }
    if (isTooDeep(text))
      return done(badBody(`The body is nested more than ${deepest} levels deep.`), undefined);
    void parse(request, text, (error, value) => {
      if (error) done(badBody('The body is not valid JSON.'), undefined);
      else done(null, value);
    });
  });
}

/** Whether brackets outside strings nest deeper than the limit. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c /* \ */) at += 1;
      else if (code === 0x22 /* " */) inString = false;
    } else if (code === 0x22) {
      inString = true;
    } else if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) {
      depth -= 1;
    }
  }
  return false;
}
