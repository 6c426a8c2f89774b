import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the exhaustive tests run all of their cases, as in CI, or a sample. */
    thorough: boolean;
  }
}

/** Tests that call simulated providers over HTTP. They take longer than all other tests without engines. */
const protocolTests = ['packages/lab/src/**/*.test.ts', 'packages/providers/src/**/*.lab.test.ts'];

/** Far more than any test without engines needs, so that a busy machine does not fail them. */
const testTimeout = 30_000;

export default defineConfig({
  test: {
    provide: { thorough: process.env['THOROUGH'] === '1' },
    // Modules keep no state between files, and loading them again for each file takes as long as the tests.
    isolate: false,
    // Restore environment variables and mocks after each test.
    unstubEnvs: true,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**', ...protocolTests],
          testTimeout,
          // The default leaves one core idle, which is half of a small machine.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'protocol',
          include: protocolTests,
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          testTimeout,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'int',
          include: ['packages/*/src/**/*.int.test.ts'],
          globalSetup: ['packages/server/src/test/apps/engines.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // These tests often wait for engines, browsers and timers, so four workers keep two cores busy. More make tests of timing fail.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
