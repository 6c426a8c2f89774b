import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CaughtMail } from './caught-mail.ts';
import { wireMail } from './wire-mail.ts';
import { renderFrame, renderList, renderMail, renderMissing } from './pages.ts';
import { styleSheet } from './style-sheet.ts';

/** The pages show untrusted mail, so they allow no scripts, only our styles, and no external content. The mail's own content stays in its frame. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Mail uses inline styles and opens links in new tabs. It cannot run scripts or load external content. */
const framePolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Serves stored mail: `/`, `/mails/:id`, its HTML at `/mails/:id/html`, and JSON at `/messages` and `/messages/:id`. */
export function serveMail(
  request: IncomingMessage,
  response: ServerResponse,
  messages: readonly CaughtMail[],
): void {
  const send = (status: number, type: string, body: string, csp = policy): void => {
    response.writeHead(status, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': csp,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  // A foreign site whose host name resolves here would be same-origin to a browser, and could read the links.
  if (!isOurName(request.headers.host ?? '')) return send(421, 'text/plain', 'Use 127.0.0.1 as the host.\n');
  const pathname = (request.url ?? '/').replace(/\?.*$/, '');
  const [, kind, id, part] = /^\/(mails|messages)\/([1-9]\d{0,9})(\/html)?$/.exec(pathname) ?? [];
  const mail = messages.find((candidate) => candidate.id === Number(id));
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(405, 'text/plain', 'Only GET is allowed.\n');
  if (pathname === '/') return send(200, 'text/html', renderList(messages));
  if (pathname === '/style.css') return send(200, 'text/css', styleSheet);
  if (pathname === '/messages')
    return send(200, 'application/json', JSON.stringify(messages.toReversed().map(wireMail)));
  if (kind === 'messages' && mail && !part)
    return send(200, 'application/json', JSON.stringify(wireMail(mail)));
  if (kind === 'messages') return send(404, 'application/json', '{"error":"not_found"}');
  if (kind === 'mails' && mail && part)
    return send(200, 'text/html', renderFrame(mail.html ?? ''), framePolicy);
  if (kind === 'mails' && mail) return send(200, 'text/html', renderMail(mail));
  return send(404, 'text/html', renderMissing());
}

function isOurName(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}
