/** The files of the benchmarks whose short forms run on one stack. */
export const sharing = [
  'frame',
  'audit',
  'reads',
  'truth',
  'ingest',
  'users-scale',
  'dashboard-users',
  'dashboard-page',
];
