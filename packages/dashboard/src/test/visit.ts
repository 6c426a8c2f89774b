import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page, Route } from 'playwright-core';
import { findViolations } from './axe.ts';
import { findStops, markOf, stopsStillThere, type Stop } from './stops.ts';

export const desktop = 1280;
export const phone = 390;
const height = 844;
/** The rules that depend on colors. All others have the same result in both schemes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

export interface Layer {
  opener: Locator;
  opened: Locator;
}

/** A visit to one page. */
export class Visit {
  readonly page: Page;
  readonly url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/dashboard${path}`);
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
  }

  /** Checks that axe finds no violations and nothing overflows, on a wide light and a narrow dark screen. */
  async check(widths: readonly number[] = [desktop, phone]): Promise<void> {
    for (const width of widths) {
      await this.page.setViewportSize({ width, height });
      await this.#examine(width === desktop ? 'light' : 'dark', null);
      const needed = await this.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(needed <= width, `needs ${needed} px of ${width} px`);
    }
  }

  /** Like `check`, with the color schemes swapped as well. */
  async checkAll(): Promise<void> {
    await this.check();
    await this.#examine('light', colorRules);
    await this.page.setViewportSize({ width: desktop, height });
    await this.#examine('dark', colorRules);
  }

  async #examine(colorScheme: 'light' | 'dark', rules: readonly string[] | null): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    const violations = await findViolations(this.page, rules);
    const summary = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    assert.deepEqual(
      summary,
      [],
      `${this.page.viewportSize()!.width} px, ${colorScheme}: ${JSON.stringify(summary)}`,
    );
  }

  /** Opens a layer with the keyboard, checks it wide and narrow, closes it with Esc, and checks that focus returns. */
  async checkLayer({ opener, opened }: Layer, widths: readonly number[] = [desktop, phone]): Promise<void> {
    for (const width of widths) {
      await this.page.setViewportSize({ width, height });
      await opener.focus();
      await this.page.keyboard.press('Enter');
      await opened.waitFor();
      await this.check([width]);
      await this.page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
      await hasFocus(opener);
    }
  }

  /** Checks that the Tab key reaches every control, in view and with a focus ring. */
  async walk(): Promise<void> {
    const stops = await this.page.evaluate(findStops);
    const met = new Map<string, Stop>();
    // Some controls, such as dates, have several stops.
    for (let presses = 0; met.size < stops.length && presses < stops.length * 2 + 10; presses += 1) {
      await this.page.keyboard.press('Tab');
      const stop = await this.page.evaluate(markOf);
      if (stop) met.set(stop.id, stop);
    }
    // Elements that were re-rendered when their data arrived are no longer stops.
    const there = new Set(await this.page.evaluate(stopsStillThere));
    const missed = stops.filter(({ id }) => there.has(id) && !met.has(id));
    assert.deepEqual(htmlOf(missed), [], 'not reachable by keyboard');
    assert.deepEqual(
      htmlOf([...met.values()].filter(({ isMarked }) => !isMarked)),
      [],
      'without a focus ring',
    );
    assert.deepEqual(htmlOf([...met.values()].filter(({ isInSight }) => !isInSight)), [], 'out of view');
  }

  /** Holds all requests except for the session. The returned function fails them and all later ones. */
  async hold(except?: RegExp): Promise<() => Promise<void>> {
    const pendingRoutes: Route[] = [];
    let isRefusing = false;
    await this.page.route(/\/(v1|dashboard\/api)\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.endsWith('/api/session') || except?.test(pathname)) await route.fallback();
      else if (isRefusing) await refuse(route);
      else pendingRoutes.push(route);
    });
    return async () => {
      isRefusing = true;
      await Promise.all(pendingRoutes.map(refuse));
    };
  }
}

function refuse(route: Route): Promise<void> {
  return route.fulfill({
    status: 400,
    headers: { 'request-id': 'req_sample' },
    json: { error: 'invalid_request', message: 'It went wrong.', details: {} },
  });
}

const htmlOf = (those: readonly { html: string }[]) => those.map(({ html }) => html);

/** Focus returns shortly after a layer closes. */
async function hasFocus(opener: Locator): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    if (await opener.evaluate((element) => element === document.activeElement)) return;
    await wait(25);
  }
  assert.fail('Focus did not return.');
}
