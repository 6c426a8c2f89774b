import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFile(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/**
 * Returns the violations axe finds. The script is injected once per page and only violations are transferred, because the rest takes most
 * of the time.
 */
export async function findViolations(page: Page, rules: readonly string[] | null): Promise<Violation[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await source);
  const options = JSON.stringify({
    resultTypes: ['violations'],
    preload: false,
    ...(rules && { runOnly: rules }),
  });
  return page.evaluate<Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
}
