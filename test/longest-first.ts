import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take much longer than others of their size, longest first. */
const longest = [
  'packages/server/src/http/pages/connect.browser.int.test.ts',
  'packages/dashboard/src/pages.browser.int.test.ts',
  'packages/stack/src/cli.int.test.ts',
  'packages/stack/src/stack.int.test.ts',
  'packages/server/src/services/users/erase-user.int.test.ts',
  'packages/server/src/http/frame/tenant-isolation.int.test.ts',
  'packages/dashboard/src/dashboard.stack.int.test.ts',
  'packages/server/src/http/pages/pages.browser.int.test.ts',
  'packages/server/src/services/layers/order.int.test.ts',
  'packages/server/src/services/connections/refresh.int.test.ts',
  'packages/dashboard/src/layers.browser.int.test.ts',
  'packages/server/src/services/sync/sync.int.test.ts',
];

/** Starts the longest files first. A fresh clone knows no durations, and a long file that starts last would delay the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((path) => sorted.filter(({ moduleId }) => moduleId.endsWith(path)));
    return [...first, ...sorted.filter((file) => !first.includes(file))].sort(
      (a, b) => a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder,
    );
  }
}
