import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ApiError, components } from '@tributary/contract';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from '../context.ts';
import { installAuth } from './auth.ts';
import { installBounds } from './bounds.ts';
import { installCors } from './cors.ts';
import { installDocs } from './docs.ts';
import { frameworkError, installErrors, renderError } from './errors.ts';
import { installForms } from './forms.ts';
import { installJsonBody } from './json-body.ts';
import { installReference } from './reference.ts';
import { registerRoutes } from './routes/index.ts';
import { installValidation } from './validation.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Builds the HTTP application. The order of installation is the order in which a request passes. `onRoute` is told every route. */
export async function buildApp(ctx: Context, onRoute?: (route: RouteOptions) => void): Promise<App> {
  const { bodyLimitBytes, requestTimeoutMs, trustProxy } = ctx.config.http;
  const app = fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(ctx.newId()),
    requestIdHeader: false,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    handlerTimeout: requestTimeoutMs,
    connectionTimeout: 2 * requestTimeoutMs,
    keepAliveTimeout: 72_000,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: frameworkError,
    clientErrorHandler,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  if (onRoute) app.addHook('onRoute', onRoute);
  for (const component of components) app.addSchema(component);
  installErrors(app);
  installJsonBody(app);
  installBounds(app, ctx);
  installCors(app);
  installAuth(app, ctx);
  installValidation(app);
  installForms(app);
  await installDocs(app);
  registerRoutes(app, ctx);
  await installReference(app);
  return app;
}

/** Short ids, unique over nodes and restarts: the end of a random id of this process, and a counter. */
function createRequestIds(processId: string): () => string {
  const prefix = `req_${processId.replaceAll('-', '').slice(-10)}`;
  let count = 0;
  return () => `${prefix}${(count++).toString(36)}`;
}

/** What is not even HTTP still gets an answer in our shape, where the socket can take one. */
function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const body = renderError(
    new ApiError('invalid_request', {
      message: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
    }),
  );
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
