import type { Patch } from '@tributary/rig';

/** A fault in the service that the comparison must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** Whether paging must detect it instead of the comparison. */
  inPages?: true;
}

const server = 'packages/server/src';
const domain = 'packages/domain/src';

export const plants: readonly Plant[] = [
  {
    name: 'tie-break',
    title: 'between two equal devices, the one connected first wins',
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
    title: 'uploads are split into UTC days',
    patches: [
      {
        file: `${server}/services/layers/split-into-days.ts`,
        find: 'const { timezones } = state.user;',
        replace: `const timezones = 'UTC';`,
      },
    ],
  },
  {
    name: 'excluded',
    title: 'a provider excluded from one metric is still used',
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
        find: 'return options.filter(({ provider }) => !seen.has(provider) && seen.add(provider));',
        replace:
          'return options.filter(({ source }) => !seen.has(String(source)) && seen.add(String(source)));',
      },
      {
        file: `${domain}/consolidate/consolidate-day.ts`,
        find: 'const byProvider = Map.groupBy(options, ({ provider }) => provider);',
        replace: 'const byProvider = Map.groupBy(options, ({ source }) => source);',
      },
    ],
  },
  {
    name: 'merge-twice',
    title: 'merge counts time covered by two devices twice',
    patches: [
      {
        file: `${domain}/consolidate/merge-intervals.ts`,
        find: 'this.#covered = union([...this.#covered, ...pieces]);',
        replace: 'this.#covered = union([...this.#covered, ...pieces.slice(1)]);',
      },
    ],
  },
  {
    name: 'cloud-first',
    title: 'cloud devices rank like phone devices',
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
    title: 'a change of settings is not applied to sleep',
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
    title: 'samples come from the best device instead of the one that supplied the value',
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
    title: 'imperial values are converted from rounded ones',
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
    title: 'the next page starts after the day of the last session',
    inPages: true,
    patches: [
      {
        file: `${server}/store/reads/sessions.ts`,
        find: `AND (s.day, s.start_at, s.id) < (\${dayAt('$6')}, to_timestamp($7::float8 / 1000), $8::uuid)`,
        replace: `AND s.day < \${dayAt('$6')} AND ($7::float8, $8::uuid) IS NOT NULL`,
      },
    ],
  },
];
