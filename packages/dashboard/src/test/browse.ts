import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { serveDashboard, type DashboardServer } from './serve-dashboard.ts';
import { Visit } from './visit.ts';

export interface VisitOptions {
  /** Initial width of the screen. */
  width?: number;
  signedIn?: boolean;
}

/** A browser on the built dashboard. It has one page, which every visit resets. */
export class Browsing implements AsyncDisposable {
  readonly server: DashboardServer;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #page: Page;
  #complaints: string[] = [];

  private constructor(server: DashboardServer, context: BrowserContext, page: Page) {
    this.server = server;
    this.#browser = context.browser()!;
    this.#context = context;
    this.#page = page;
    page.on('console', (message) => {
      // Browsers log failed requests.
      if (!/status of [45]\d\d/.test(message.text())) this.#complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.#complaints.push(error.message));
    page.on('request', (request) => {
      const isOwn = [server.url, 'blob:', 'about:'].some((start) => request.url().startsWith(start));
      if (!isOwn) this.#complaints.push(request.url());
    });
  }

  static async start(): Promise<Browsing> {
    const [server, browser] = await Promise.all([serveDashboard(), launchChromium()]);
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new Browsing(server, context, await context.newPage());
  }

  /** Visits the page and fails on console errors, violations of the content security policy or Trusted Types, and requests to other hosts. */
  async visit(
    use: (visit: Visit) => Promise<void>,
    { width = 1280, signedIn = true }: VisitOptions = {},
  ): Promise<void> {
    this.server.fixtures.isSignedIn = signedIn;
    await this.#page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.#page.goto('about:blank');
    await this.#page.setViewportSize({ width, height: 844 });
    await this.#page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    this.#complaints = [];
    await use(new Visit(this.#page, this.server.url));
    assert.deepEqual(this.#complaints, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
    await this.#browser.close();
    await this.server[Symbol.asyncDispose]();
  }
}
