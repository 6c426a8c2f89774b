import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the exhaustive tests run all of their cases, as in CI, or a sample. */
    thorough: boolean;
  }
}

export default defineConfig({
  test: {
    provide: { thorough: process.env['THOROUGH'] === '1' },
    // Modules keep no state that one file could leave to the next, and loading them anew for each file takes as long as the tests.
    isolate: false,
    // What a test changed of the process ends with it.
    unstubEnvs: true,
    restoreMocks: true,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          // Far more than any needs; a busy machine must not fail them.
          testTimeout: 30_000,
          // The default leaves one core idle, which is half of a small machine.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'int',
          include: ['packages/*/src/**/*.int.test.ts'],
          globalSetup: ['packages/server/src/test/engines.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // The engines, the services under test and the tests share two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
