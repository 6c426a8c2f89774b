import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Fixtures } from './fixtures.ts';

const dashboard = fileURLToPath(new URL('../..', import.meta.url));
const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface DashboardServer extends AsyncDisposable {
  url: string;
  fixtures: Fixtures;
}

/** The current build. Test files in the same process share it. */
let built: Promise<string> | undefined;

/** Builds the dashboard and serves it as the service does, with sample responses. */
export async function serveDashboard(): Promise<DashboardServer> {
  built ??= build();
  const dist = await built;
  const fixtures = new Fixtures();
  const server = createServer((request, response) => void handle(request, response, { dist, fixtures }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fixtures,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Uses the same command as the real build. Writes to a folder per worker that later test runs reuse. */
async function build(): Promise<string> {
  const dist = join(dashboard, 'node_modules/.tests', process.env['VITEST_POOL_ID'] ?? 'single');
  const vite = fileURLToPath(new URL('bin/vite.js', import.meta.resolve('vite/package.json')));
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--outDir', dist, '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: dashboard,
      // The test runner sets another NODE_ENV, which would include React's warnings in the build.
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  return dist;
}

interface Served {
  dist: string;
  fixtures: Fixtures;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { dist, fixtures }: Served,
): Promise<void> {
  const { pathname } = new URL(request.url!, 'http://localhost');
  if (pathname === '/v1/events/stream') return keepStreaming(response);
  if (/^\/(v1|dashboard\/(api|auth))\//.test(pathname))
    return respondToCall(request, response, pathname, fixtures);
  const file = pathname.replace(/^\/dashboard/, dist);
  if (extname(file) in types && existsSync(file)) return sendFile(response, file);
  const nonce = randomBytes(16).toString('base64');
  const page = await readFile(`${dist}/index.html`, 'utf8');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyOf(nonce),
  });
  response.end(page.replaceAll('TRIBUTARY_NONCE', nonce));
}

/** Keeps a stream open without sending events. */
function keepStreaming(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': nothing yet\n\n');
}

function policyOf(nonce: string): string {
  return [
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
  ].join('; ');
}

async function sendFile(response: ServerResponse, file: string): Promise<void> {
  response.writeHead(200, {
    'content-type': types[extname(file)],
    'cache-control': file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  response.end(await readFile(file));
}

async function respondToCall(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  fixtures: Fixtures,
): Promise<void> {
  let text = '';
  for await (const piece of request) text += String(piece);
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  const { status, body: json, headers } = fixtures.respond(`${request.method} ${path}`, body);
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_sample', ...headers });
  response.end(json === undefined ? '' : JSON.stringify(json));
}
