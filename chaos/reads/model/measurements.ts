import { metrics } from '@tributary/domain';

const membersOf = (group: string) => metrics.filter((metric) => metric.group === group).map(({ id }) => id);

/** Metrics that one measurement gives together, the most important one first. */
export const measurements: readonly (readonly string[])[] = [
  ['blood_pressure_systolic', 'blood_pressure_diastolic'],
  ['weight', ...membersOf('body_composition')],
  membersOf('sleep_stages'),
];
