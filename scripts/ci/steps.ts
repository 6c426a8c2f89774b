/** One step of CI. */
export interface Step {
  title: string;
  command: readonly string[];
  /** `check` fails immediately, `tests` repeats failed files once, and `proof` is repeated once with nothing beside it, since its bounds are times and ratios. */
  kind: 'check' | 'tests' | 'proof';
  /** The number of cores it needs. Steps that mostly wait run in pairs. */
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
/** The short form of a benchmark, which runs with nothing beside it. */
const bench = (title: string, script: string): Step => ({ ...proof(title, script), cores: 2 });

/** All steps of CI, in stages. Each stage starts when the previous one is done, and runs its longest steps first. */
export const stages: readonly (readonly Step[])[] = [
  [
    // Outside CI, exhaustive tests run a sample of their cases.
    {
      title: 'Unit and protocol tests',
      command: ['env', 'THOROUGH=1', ...vitest('--project', 'unit', '--project', 'protocol')],
      kind: 'tests',
      cores: 1,
    },
    check('Lint, boundaries, cycles', ...npm('lint')),
    check('Spelling', ...npm('spelling')),
    check('Types', ...npm('types')),
    check('Prose and names', ...npm('prose')),
    check(
      'Dashboard: build and first-load size',
      'bash',
      '-c',
      'npm run --silent dashboard:build && npm run --silent dashboard:size',
    ),
    check('Client: build, package and size', ...npm('client:build', '--', '--check')),
    check('Unused code', ...npm('unused')),
    check('OpenAPI: file is current', ...npm('openapi')),
    check('Database schema: file is current', ...npm('schema')),
    check('OpenAPI: lint', ...npm('openapi:lint')),
    check('Metrics page: file is current', ...npm('metrics:page')),
    check('Contract page: file is current', ...npm('contract:page')),
    check('Manifests and units: fields, values, rules', ...npm('manifests')),
    check('Alerts: files are current, and their tests', ...npm('monitoring', '--', '--check')),
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
    proof('A month of provider sync under faults, short', 'chaos:sync'),
    check('Docs, README and guides', ...npm('docs:check')),
    proof('Uploads under kills, short', 'chaos:ingest'),
    proof('Uploads without brokers, short', 'chaos:brokers'),
    proof('Webhooks under faults, short', 'chaos:webhooks'),
    proof('Mail under kills, short', 'chaos:mail'),
    proof('Audit log under tampering and kills, short', 'chaos:audit'),
    proof('Hostile clients and silent hosts, short', 'chaos:hostile'),
    proof('Event feed, short', 'chaos:feed'),
    proof('Live event stream, short', 'chaos:stream'),
    proof('Following events through the client, short', 'chaos:client'),
    proof('Reads against a naive model, short', 'chaos:reads'),
    proof('Consolidation rules against a reference, short', 'chaos:rules'),
    proof('Shutdown under load, short', 'chaos:shutdown'),
    // Benchmarks whose short forms have bounds that a busy core does not break.
    proof('Scores, short', 'bench:scores'),
    proof('Storage size, short', 'bench:size'),
    proof('Pooler, short', 'bench:pooler'),
    proof('Access records, short', 'bench:access-records'),
    {
      ...check(
        'Image: build, contents, guides and dashboard in a container',
        ...npm('image', '--', '--local', '--check'),
      ),
      cores: 2,
    },
    check(
      'Benchmark comparison of two commits, short',
      ...npm('bench:compare', '--', 'HEAD', '--only', 'frame', '--short'),
    ),
    proof('Alerts on failures, short', 'chaos:alerts'),
    proof('Rate limiter under faults, short', 'chaos:limiter'),
    proof('Revocation under load, short', 'chaos:revocation'),
    proof('Session races, short', 'chaos:sessions'),
    check('Fuzzing, short', ...npm('fuzz', '--', '--count', '3000')),
  ],
  [
    // Uses the image that an earlier stage has built. Its bound is a time.
    {
      ...check('Compose: from an empty folder, kills, short', ...npm('compose', '--', '--short')),
      kind: 'proof',
      cores: 2,
    },
    // It repeats failed benchmarks itself.
    { ...bench('Benchmarks on one stack, short', 'bench:smoke'), kind: 'check' },
    bench('Uploads with many users, short', 'bench:flat'),
    bench('Reads with many users, short', 'bench:reads-flat'),
    bench('Live sync during a backfill, short', 'bench:sync-fairness'),
  ],
];
