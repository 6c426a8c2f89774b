import type { FastifyReply } from 'fastify';
import { renderPage, type Page } from './layout.ts';

/** Sends a page with a status. */
export type SendPage = (reply: FastifyReply, status: number, page: Page) => FastifyReply;

/** Pages may not run scripts, be framed or cached, or leak their URL, which contains a token. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Creates the function that sends all pages, including errors. */
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
