import type { Patch } from '@tributary/rig';

/** A fault in the service that the comparison must detect. */
interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
}

const domain = 'packages/domain/src';

export const plants: readonly Plant[] = [
  {
    name: 'coverage',
    title: 'a device that observed ten minutes of the day is compared by rank',
    patches: [
      {
        file: `${domain}/day/coverage.ts`,
        find: 'if (observedMs !== null) return Math.min(1, observedMs / (endMs - startMs));',
        replace: 'if (observedMs !== null) return observedMs <= endMs - startMs ? 1 : 0;',
      },
    ],
  },
  {
    name: 'zeros-cover',
    title: 'intervals of zero hide what a lower-ranked device counted at that time',
    patches: [
      {
        file: `${domain}/consolidate/merge-intervals.ts`,
        find: 'intervals.filter(({ value }) => value !== 0),',
        replace: 'intervals.filter(({ value }) => value >= 0),',
      },
    ],
  },
  {
    name: 'total-forever',
    title: 'a total is valid even if the device counted more afterwards',
    patches: [
      {
        file: `${domain}/day/device-day.ts`,
        find: 'sampled.untilMs > owner.createdMs',
        replace: 'sampled.untilMs > owner.createdMs + 172_800_000',
      },
    ],
  },
  {
    name: 'mixed-measurements',
    title: 'each value of a measurement comes from the highest-ranked device that has it',
    patches: [
      {
        file: `${domain}/consolidate/choose-device.ts`,
        find: 'if (!members) return null;',
        replace: 'if (!members || members.length > 0) return null;',
      },
    ],
  },
  {
    name: 'incomplete-readings',
    title: 'readings without the other value of their measurement count like complete ones',
    patches: [
      {
        file: `${domain}/day/one-reading.ts`,
        find: 'measurements.filter((one) => one.readings.size === most)',
        replace: 'measurements.filter((one) => one.readings.size <= most)',
      },
    ],
  },
  {
    name: 'average-of-fragments',
    title: 'an average of sleep includes devices that recorded an hour of the night',
    patches: [
      {
        file: 'packages/server/src/services/layers/consolidate-days.ts',
        find: "reading.from === 'sessions' && longestNight > 0",
        replace: "reading.from === 'sessions' && longestNight < 0",
      },
    ],
  },
  {
    name: 'dead-battery',
    title: 'a device that recorded a tenth of the night hides the others',
    patches: [
      {
        file: `${domain}/sessions/cluster-sleep.ts`,
        find: 'const eligibleShare = 0.6;',
        replace: 'const eligibleShare = 0.1;',
      },
    ],
  },
];
