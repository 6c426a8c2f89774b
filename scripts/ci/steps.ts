/** One thing that CI does. */
export interface Step {
  title: string;
  command: readonly string[];
  /** `check` fails at once, `tests` repeats failed files once, `proof` is repeated once by itself: its bounds are times and ratios. */
  kind: 'check' | 'tests' | 'proof';
  /** How much of the machine it needs; steps that mostly wait run in pairs. */
  cores: 1 | 2;
}

const npm = (...args: string[]) => ['npm', 'run', '--silent', ...args];
const vitest = (...args: string[]) => ['npx', '--no-install', 'vitest', 'run', ...args];

const check = (title: string, ...command: string[]): Step => ({ title, command, kind: 'check', cores: 1 });
/** The short form of a proof that mostly waits for processes to start, stop and recover. */
const proof = (title: string, script: string, ...args: string[]): Step => ({
  title,
  command: npm(script, '--', '--short', ...args),
  kind: 'proof',
  cores: 1,
});
/** The short form of a benchmark, which has the machine for itself. */
const bench = (title: string, script: string): Step => ({ ...proof(title, script), cores: 2 });

/** Everything that CI does, in stages: each begins when the one before it is done. Within a stage the longest steps come first. */
export const stages: readonly (readonly Step[])[] = [
  [
    // Exhaustive tests run a sample of their cases elsewhere.
    {
      title: 'Unit tests',
      command: ['env', 'THOROUGH=1', ...vitest('--project', 'unit')],
      kind: 'tests',
      cores: 1,
    },
    check('Lint, boundaries, cycles', ...npm('lint')),
    check('Types', ...npm('types')),
    check(
      'Dashboard: build and first load',
      'bash',
      '-c',
      'npm run --silent dashboard:build && npm run --silent dashboard:size',
    ),
    check('Unused code', ...npm('unused')),
    check('OpenAPI: the file is current', ...npm('openapi')),
    check('Database schema: the file is current', ...npm('schema')),
    check('OpenAPI: lint', ...npm('openapi:lint')),
    check('Metrics page: the file is current', ...npm('metrics:page')),
    check('Contract page: the file is current', ...npm('contract:page')),
    check('Format', ...npm('format:check')),
  ],
  [
    {
      title: 'Integration tests',
      command: vitest('--project', 'int', '--retry', '1'),
      kind: 'tests',
      cores: 2,
    },
  ],
  [
    proof('A month of syncing under faults, short', 'chaos:sync'),
    check('Documents, README and guides', ...npm('docs:check')),
    proof('Uploads under kills, short', 'chaos:ingest'),
    proof('Uploads without brokers, short', 'chaos:brokers'),
    proof('Webhooks under fire, short', 'chaos:webhooks'),
    proof('Mail under kills, short', 'chaos:mail'),
    proof('Audit log under tampering and kills, short', 'chaos:audit'),
    proof('Event feed, short', 'chaos:feed'),
    proof('Live event stream, short', 'chaos:stream'),
    proof('Reads against a naive model, short', 'chaos:reads'),
    proof('Shutdown under load, short', 'chaos:shutdown'),
    proof('Rate limiter under fire, short', 'chaos:limiter'),
    proof('Revocation under load, short', 'chaos:revocation'),
    proof('Session races, short', 'chaos:sessions'),
    check('Fuzzing, short', ...npm('fuzz', '--', '--count', '3000')),
  ],
  [
    // It repeats by itself what breaks.
    { ...bench('Benchmarks on one stack, short', 'bench:smoke'), kind: 'check' },
    bench('Uploads with many users, short', 'bench:flat'),
    bench('Reads with many users, short', 'bench:reads-flat'),
    bench('Syncing beside a backfill, short', 'bench:sync-fairness'),
    bench('Scores, short', 'bench:scores'),
    bench('Bytes on disk, short', 'bench:size'),
    check(
      'Comparison of two commits, short',
      ...npm('bench:compare', '--', 'HEAD', '--only', 'frame', '--short'),
    ),
  ],
];
