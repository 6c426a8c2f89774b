import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import type { Access } from './access.ts';

const description = `Tributary takes what rings, watches, scales, sensors and phones report about a person, and gives an app one clean,
explained, canonical answer per metric and day.

**Two forms.** The user calls and the data reads exist in two forms. A request chooses by the header \`API-Form: 1\` or \`2\`; else by the names
of its fields (\`page\`, \`per_page\`, \`reference_id\`, \`start_date\`, \`end_date\` are Form 1; \`limit\`, \`cursor\`, \`external_ref\`, \`from_date\`, \`to_date\` are Form 2);
else the account's default holds. Answers say in \`API-Form\` which one they are in.

**Limits.** 100 requests a second and bursts of 200 per API key; 20 and 40 per user token. \`RateLimit\` says what remains, and a 429 says in
\`Retry-After\` how long to wait.

**Errors** always have the shape \`{error, message, details}\`. Every answer carries a \`Request-Id\`.`;

/** Describes the API from the same schemas that validate it, and shows it at /docs from files of our own. */
export async function installDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tributary',
        version: '1.0.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'Users', description: 'The people whose data is kept' },
        { name: 'Devices', description: 'Where data comes from' },
        { name: 'Tokens', description: 'Credentials for apps and phones' },
        { name: 'Service', description: 'Health and description of the service itself' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, `sk_live_…` or `sk_sandbox_…`: any user of its environment, any operation',
          },
          userToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token from `POST /v1/auth/user-token`: reads of its own user',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) => String(json['$id'] ?? `schema-${index}`),
    },
  });
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (route.schema && access) route.schema.security = securityOf(access);
  });
}

/** The browsable reference. Registered after every route. */
export async function installReference(app: FastifyInstance): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Tributary API',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    } as Record<string, unknown>,
  });
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.open) return [];
  return [...(access.apiKey ? [{ apiKey: [] }] : []), ...(access.ownUser ? [{ userToken: [] }] : [])];
}
