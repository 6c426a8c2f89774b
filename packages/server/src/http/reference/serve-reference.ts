import scalar from '@scalar/fastify-api-reference';
import { ApiError } from '@tributary/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Serves the API reference at /docs from our own files, without contacting any other server. Registered after every route. */
export async function installReference(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      // The plugin builds a URL from the Host header, which may be anything.
      if (!URL.canParse(`http://${request.hostname}`)) throw new ApiError('invalid_request');
      reply.headers({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
    });
    const sendScript = createScriptSender();
    scope.addHook('onSend', async (request, reply, payload) => {
      const type = String(reply.getHeader('Content-Type'));
      if (type.startsWith('text/html')) return preparePage(reply, String(payload));
      if (type.startsWith('application/javascript')) return sendScript(request, reply, String(payload));
      return payload;
    });
    await scope.register(scalar, { routePrefix: '/docs', configuration });
  });
}

const configuration = {
  url: '/openapi.json',
  pageTitle: 'Tributary API',
  documentDownloadType: 'direct',
  authentication: { preferredSecurityScheme: 'apiKey' },
  withDefaultFonts: false,
  telemetry: false,
  // Links out of the page, to third-party products.
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: `
    a[href^='https://www.scalar.com'] { display: none; }
    /* Links move the focus to sections; an outline around a whole page of text is not useful. */
    section:focus-visible { outline: none; }
    /* On a phone the toggle would cover the request URL. */
    @media (max-width: 768px) { .scalar-client .scalar-sidebar-toggle { display: none; } }
  `,
} as Record<string, unknown>;

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0f766e" stroke-width="2" stroke-linecap="round"><path d="M3 2c0 5 5 4 5 8v4M13 2c0 5-5 4-5 8"/></svg>',
)}`;

function preparePage(reply: FastifyReply, html: string): string {
  reply.headers({ 'Content-Security-Policy': policyFor(html), 'Cache-Control': 'no-cache' });
  return html
    .replace('<html>', '<html lang="en">')
    .replace('</head>', `  <link rel="icon" href="${icon}" />\n  </head>`);
}

/** Allows the page to run its own scripts and connect to its own server, and nothing else. */
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, script = '']) => script);
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    // The reference writes its styles into the page at run time.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The script is larger than four megabytes and never changes while the process runs, so it is compressed once and browsers cache it. */
function createScriptSender() {
  let compressed: Promise<Buffer> | undefined;
  let etag: string | undefined;
  return async (request: FastifyRequest, reply: FastifyReply, script: string): Promise<string | Buffer> => {
    etag ??= `"${createHash('sha256').update(script).digest('base64url')}"`;
    reply.headers({ ETag: etag, 'Cache-Control': 'public, max-age=3600', Vary: 'Accept-Encoding' });
    if (request.headers['if-none-match'] === etag) {
      reply.code(304).removeHeader('Content-Type');
      return '';
    }
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return script;
    compressed ??= promisify(gzip)(script);
    reply.header('Content-Encoding', 'gzip').removeHeader('Content-Length');
    return compressed;
  };
}
