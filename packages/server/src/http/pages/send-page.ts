import type { FastifyReply } from 'fastify';
import { renderPage, type Page } from './layout.ts';

/** Sends a page with a status. */
export type SendPage = (reply: FastifyReply, status: number, page: Page) => FastifyReply;

/** Nothing on a page may run, be framed, be kept, or tell anyone the address that holds the secret. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Makes the one way in which pages are sent, failures included. */
export function createPageSender(styleSheetPath: string): SendPage {
  return (reply, status, page) =>
    reply
      .code(status)
      .headers({ ...headers, 'Content-Security-Policy': policyFor(page) })
      .send(renderPage(page, styleSheetPath));
}

function policyFor({ formTargets = [] }: Page): string {
  const targets = ["'self'", ...formTargets].join(' ');
  return `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
}
