import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { components } from '@tributary/contract';
import { fastify, LogController, type RouteOptions } from 'fastify';
import type { Context } from '../../context.ts';
import type { App } from './app-type.ts';
import { installAuth } from './auth.ts';
import { installRequestLimits } from './request-limits.ts';
import { installCors } from './cors.ts';
import { installAccessRecords } from '../access-records/record-reads.ts';
import { installDashboard } from '../dashboard/install-dashboard.ts';
import { installDocs } from '../reference/docs.ts';
import { frameworkError, installErrors } from './errors.ts';
import { installTags } from '../caching/etag.ts';
import { installFieldWarnings } from './field-warnings.ts';
import { installEmptyCursor } from '../parameters/empty-cursor.ts';
import { installForms } from '../parameters/install-forms.ts';
import { installJsonBody } from '../parameters/json-body.ts';
import { installPages } from '../pages/install-pages.ts';
import { respondToClientErrors, installProtocol } from './protocol.ts';
import { installPushes } from '../pushes/install-pushes.ts';
import { installReference } from '../reference/serve-reference.ts';
import { MethodTable } from './method-table.ts';
import { rewriteRequest } from './rewrite-request.ts';
import { installRouteMetadata } from './route-metadata.ts';
import { registerRoutes } from '../routes/index.ts';
import { installSerialization } from './serialization.ts';
import { installTransportSecurity, requireTransportSecurity } from './transport-security.ts';
import { installValidation } from './validation.ts';

/** Builds the HTTP application. Requests pass the parts in the order of installation. `onRoute` is called with every route. */
export async function buildApp(ctx: Context, onRoute?: (route: RouteOptions) => void): Promise<App> {
  const nextRequestId = createRequestIds(ctx.newId());
  const methods = new MethodTable();
  const { bodyLimitBytes, headersTimeoutMs, trustProxy } = ctx.config.http;
  const app = fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: each line names its request, which is cheaper than a child logger per request.
    childLoggerFactory: (logger) => logger,
    genReqId: nextRequestId,
    requestIdHeader: false,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: bodyLimitBytes,
    keepAliveTimeout: 72_000,
    exposeHeadRoutes: false,
    rewriteUrl: (raw) => rewriteRequest(raw, methods),
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      requireTransportSecurity(ctx, reply);
      frameworkError(error, request, reply);
    },
    clientErrorHandler: respondToClientErrors(nextRequestId),
    http: {
      // Node would reject such requests with an empty body; we return a JSON error instead.
      requireHostHeader: false,
      headersTimeout: headersTimeoutMs,
      // Bodies have their own limits: how long one may take depends on its size.
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  if (onRoute) app.addHook('onRoute', onRoute);
  for (const component of components) app.addSchema(component);
  installErrors(app);
  installJsonBody(app);
  installRouteMetadata(app);
  installTransportSecurity(app, ctx);
  installRequestLimits(app, ctx);
  installProtocol(app, methods);
  installCors(app);
  installAuth(app, ctx);
  installValidation(app);
  installSerialization(app);
  installForms(app);
  installEmptyCursor(app);
  installFieldWarnings(app);
  installTags(app);
  installAccessRecords(app, ctx);
  await installDocs(app);
  registerRoutes(app, ctx);
  await installPages(app, ctx);
  await installDashboard(app, ctx);
  await installPushes(app, ctx);
  await installReference(app);
  return app;
}

/** Short IDs that are unique across nodes and restarts: the end of a random process ID and a counter. */
function createRequestIds(processId: string): () => string {
  const prefix = `req_${processId.replaceAll('-', '').slice(-10)}`;
  let count = 0;
  return () => `${prefix}${(count++).toString(36)}`;
}
