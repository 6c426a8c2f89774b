import { afterAll, beforeAll, describe, test } from 'vitest';
import { Browsing } from './test/browse.ts';
import { allResponses, emptyResponses, places } from './test/places.ts';
import { desktop, phone, type Visit } from './test/visit.ts';

/** Checks every page in every state, wide and narrow, light and dark, with axe and the Tab key. */

let browsing: Browsing;
beforeAll(async () => {
  browsing = await Browsing.start();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());

function visit(fixtures: () => ReturnType<typeof allResponses>, use: (visit: Visit) => Promise<void>) {
  browsing.server.fixtures.role = 'owner';
  browsing.server.fixtures.more = fixtures();
  return browsing.visit(use);
}

const named = places.map((place) => [place.path.replaceAll(/_0\w+/g, '_…'), place] as const);

describe.each(named)('%s', (_name, { path, sign, first, empty }) => {
  test('with data, fully reachable with the keyboard', () =>
    visit(allResponses, async (there) => {
      await there.open(path);
      await there.page.getByText(sign).filter({ visible: true }).first().waitFor();
      await there.walk();
      await there.checkAll();
    }));

  test('while loading and after a failure', () =>
    visit(allResponses, async (there) => {
      const refuse = await there.hold(first);
      await there.open(path);
      await there.page.locator('.skeleton, .waiting, .state').first().waitFor();
      await there.check([phone]);
      await refuse();
      await there.page.getByRole('alert').getByText('req_sample').first().waitFor();
      await there.check([desktop]);
    }));

  test.runIf(empty)('without data', () =>
    visit(emptyResponses, async (there) => {
      await there.open(path);
      await there.page.getByText(empty!).filter({ visible: true }).first().waitFor();
      await there.check();
    }),
  );
});
