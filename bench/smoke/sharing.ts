/** The files of the benchmarks whose short forms run on one stack. */
export const sharing = [
  'frame',
  'reads',
  'ingest',
  'audit',
  'users-scale',
  'dashboard-users',
  'dashboard-page',
];
