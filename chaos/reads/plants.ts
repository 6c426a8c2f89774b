import type { Patch } from '@tributary/rig';

/** A fault in the service that the comparison has to find. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** Whether reading pages has to find it, and not the comparison. */
  inPages?: true;
}

const server = 'packages/server/src';
const domain = 'packages/domain/src';

export const plants: readonly Plant[] = [
  {
    name: 'tie-break',
    title: 'of two devices alike, the one that was connected first wins',
    patches: [
      {
        file: `${domain}/devices/rank.ts`,
        find: 'b.device.connectedAtMs - a.device.connectedAtMs',
        replace: 'a.device.connectedAtMs - b.device.connectedAtMs',
      },
    ],
  },
  {
    name: 'utc-days',
    title: 'uploads are cut into days of UTC',
    patches: [
      {
        file: `${server}/services/layers/cut-days.ts`,
        find: 'const { timezone } = state.user;',
        replace: `const timezone = 'UTC';`,
      },
    ],
  },
  {
    name: 'excluded',
    title: 'a provider that is left out of one metric takes part all the same',
    patches: [
      {
        file: `${domain}/consolidate/settings.ts`,
        find: 'return key === null || settings.metrics?.[key]?.providers?.[provider] !== false;',
        replace: 'return key !== undefined;',
      },
    ],
  },
  {
    name: 'voices',
    title: 'avg and sum count devices instead of providers',
    patches: [
      {
        file: `${domain}/consolidate/consolidate-day.ts`,
        find: 'const isFirst = !seen.has(device.provider);',
        replace: 'const isFirst = !seen.has(device.stableId);',
      },
    ],
  },
  {
    name: 'merge-twice',
    title: 'merge counts time that two devices share twice',
    patches: [
      {
        file: `${domain}/consolidate/merge-intervals.ts`,
        find: 'covered = union([...covered, ...pieces]);',
        replace: 'covered = union([...covered, ...pieces.slice(1)]);',
      },
    ],
  },
  {
    name: 'cloud-first',
    title: 'devices of clouds rank like those of the phone',
    patches: [
      {
        file: `${domain}/devices/rank.ts`,
        find: 'return onDevice ? ofKind : cloud + ofKind;',
        replace: 'return onDevice || cloud > 0 ? ofKind : 0;',
      },
    ],
  },
  {
    name: 'nights',
    title: 'a change of settings does not reach sleep',
    patches: [
      {
        file: `${server}/services/consolidation/reconsolidate-user.ts`,
        find: 'for (const effect of await decideAll(tx, state, sleepRules)) applyEffect(effect);',
        replace:
          'if (state.devices.length > 100) for (const effect of await decideAll(tx, state, sleepRules)) applyEffect(effect);',
      },
    ],
  },
  {
    name: 'series',
    title: 'samples are those of the best device, whoever supplied the value',
    patches: [
      {
        file: `${server}/services/timeseries/plan-days.ts`,
        find: 'device.deviceNo === supplier)',
        replace: 'device.deviceNo === supplier && supplier < 0)',
      },
    ],
  },
  {
    name: 'round-twice',
    title: 'imperial values are made from rounded ones',
    patches: [
      {
        file: `${server}/services/daily/read-exact-daily.ts`,
        find: 'return roundTo(toImperial(metric, value), metric.imperial.precision);',
        replace:
          'return roundTo(toImperial(metric, roundTo(value, metric.precision)), metric.imperial.precision);',
      },
    ],
  },
  {
    name: 'page-by-day',
    title: 'the next page begins behind the day of the last session',
    inPages: true,
    patches: [
      {
        file: `${server}/store/session-reads.ts`,
        find: `AND (s.day, s.start_at, s.id) < (\${dayAt('$6')}, to_timestamp($7::float8 / 1000), $8::uuid)`,
        replace: `AND s.day < \${dayAt('$6')} AND ($7::float8, $8::uuid) IS NOT NULL`,
      },
    ],
  },
];
