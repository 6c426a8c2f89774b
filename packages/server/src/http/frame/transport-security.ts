import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Context } from '../../context.ts';

/** Browsers that used HTTPS once do not fall back to HTTP for a year. */
const header = { name: 'Strict-Transport-Security', value: 'max-age=31536000' };

/** Requires HTTPS of browsers if that is how clients reach the service, and warns of a proxy that is not trusted. */
export function installTransportSecurity(app: FastifyInstance, ctx: Context): void {
  if (isSecure(ctx))
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header(header.name, header.value);
      done();
    });
  if (ctx.config.http.trustProxy.length === 0) warnOfProxy(app, ctx);
}

/** The same for a response that no hook sees. */
export function requireTransportSecurity(ctx: Context, reply: FastifyReply): void {
  if (isSecure(ctx)) reply.header(header.name, header.value);
}

function isSecure({ config }: Context): boolean {
  return config.http.publicUrl.startsWith('https://');
}

/** Behind a proxy that is not trusted, all clients share the limits of one address. */
function warnOfProxy(app: FastifyInstance, ctx: Context): void {
  const warn = ({ headers }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    app.server.off('request', warn);
    ctx.log.warn(
      'A request has an X-Forwarded-For or Forwarded header, but TRUST_PROXY is not set. If a proxy sends it, set TRUST_PROXY to the ' +
        'addresses of your proxies. Without it, all clients share the limits of one address.',
    );
  };
  app.server.on('request', warn);
}
