/** One command of the nightly run, in its full form with its real bounds. */
export interface Part {
  /** `group/name`; `--only` selects by any part of it. */
  name: string;
  script: string;
  args: readonly string[];
  /** Approximate duration on two dedicated cores. */
  minutes: number;
}

const part = (group: string, script: string, minutes: number, ...args: string[]): Part => ({
  name: `${group}/${script.split(':').at(-1)!}`,
  script,
  args,
  minutes,
});
const proof = (script: string, minutes: number) => part('proofs', script, minutes);
const bench = (script: string, minutes: number) => part('benchmarks', script, minutes);
/** All planted faults of a proof, each of which must be found. */
const plants = (script: string, minutes: number, ...args: string[]) =>
  part('plants', script, minutes, ...(args.length === 0 ? ['--plant-all'] : args));

/** Every proof, benchmark and planted fault, with the shorter ones of each group first. */
export const parts: readonly Part[] = [
  proof('chaos:revocation', 3),
  proof('chaos:shutdown', 3),
  proof('chaos:sessions', 3),
  proof('chaos:limiter', 4),
  proof('test:order', 4),
  proof('chaos:stream', 4),
  proof('chaos:mail', 5),
  proof('chaos:audit', 6),
  proof('chaos:brokers', 6),
  proof('chaos:feed', 8),
  proof('chaos:webhooks', 8),
  proof('chaos:client', 10),
  proof('chaos:rules', 10),
  proof('chaos:reads', 15),
  proof('chaos:hostile', 15),
  proof('chaos:alerts', 20),
  proof('chaos:ingest', 25),
  proof('chaos:sync', 90),
  part('deployment', 'compose', 6),
  part('fuzzing', 'fuzz', 3),
  plants('chaos:mail', 4),
  plants('chaos:feed', 4),
  plants('chaos:stream', 4),
  plants('chaos:client', 4),
  plants('chaos:webhooks', 5),
  plants('chaos:rules', 5),
  plants('chaos:audit', 8),
  plants('chaos:ingest', 8),
  plants('chaos:reads', 10),
  plants('chaos:hostile', 10),
  plants('chaos:sync', 15),
  plants('bench:sync-fairness', 8, '--plant', 'one-queue'),
  bench('bench:dashboard-page', 2),
  bench('bench:frame', 3),
  bench('bench:access-records', 5),
  bench('bench:pooler', 4),
  bench('bench:users', 5),
  bench('bench:dashboard-users', 5),
  bench('bench:audit', 6),
  bench('bench:scores', 8),
  bench('bench:truth', 8),
  bench('bench:sync-fairness', 9),
  bench('bench:ingest', 10),
  bench('bench:reads', 15),
  bench('bench:size', 15),
  bench('bench:flat', 25),
  bench('bench:reads-flat', 25),
];
