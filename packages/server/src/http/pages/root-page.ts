import type { FastifyInstance } from 'fastify';
import { html } from '../../html.ts';
import type { Page } from './layout.ts';
import { linkRoute } from './link-route.ts';
import type { SendPage } from './send-page.ts';

const page: Page = {
  title: 'Tributary',
  organization: null,
  main: html`<div class="opening">
    <h1>Tributary</h1>
    <p>This is a Tributary health data service.</p>
    <ul>
      <li><a href="/dashboard">Open the dashboard</a></li>
      <li><a href="/docs">Read the API reference</a></li>
    </ul>
  </div>`,
};

/** The page at `/`, for a person who opens the address of the service. */
export function registerRootPage(app: FastifyInstance, send: SendPage): void {
  // Links may carry query parameters of trackers.
  app.get('/', linkRoute, (_request, reply) => send(reply, 200, page));
}
