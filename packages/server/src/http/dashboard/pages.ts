import { ApiError } from '@tributary/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { App } from '../frame/app-type.ts';
import { readBuild, type Asset } from './build.ts';

/** Placeholder in the built page that each response replaces with a fresh nonce. */
const nonceMark = 'TRIBUTARY_NONCE';

const schema = { hide: true, querystring: { type: 'object' } };

/** Serves the dashboard build. Every path under `/dashboard` without a route of its own returns the application page. */
export function servePages(app: App): void {
  const build = readBuild();
  const show = (request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.params as { '*'?: string })['*'] ?? '';
    if (path === 'api' || path.startsWith('api/')) throw new ApiError('not_found');
    if (!build)
      return reply
        .code(503)
        .headers(pageHeaders(''))
        .send('The dashboard is not built. Run: npm run dashboard:build');
    const asset = build.assets.get(path);
    if (asset) return sendAsset(request, reply, asset);
    if (path.startsWith('assets/')) throw new ApiError('not_found');
    const nonce = randomBytes(16).toString('base64');
    return reply.headers(pageHeaders(nonce)).send(build.page.replaceAll(nonceMark, nonce));
  };
  app.get('/dashboard', { schema }, show);
  app.get('/dashboard/*', { schema }, show);
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find(
    (name) => asset[name] && new RegExp(`\\b${name}\\b`).test(accepted),
  );
  if (encoding) void reply.header('Content-Encoding', encoding);
  return reply
    .headers({
      'Content-Type': asset.type,
      'Cache-Control': asset.isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      Vary: 'Accept-Encoding',
    })
    .send(encoding ? asset[encoding] : asset.plain);
}

/** Restricts the page to scripts of the build, forbids turning text into markup (Trusted Types), and forbids framing. */
function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}
