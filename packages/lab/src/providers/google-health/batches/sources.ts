import type { SourceName } from './batch.ts';
import type { PlacedPoint } from './batches.ts';
import { GoogleRefusal } from '../refusal.ts';

const families: Record<string, readonly SourceName[]> = {
  'all-sources': ['watch', 'phone', 'scale', 'sensor'],
  'google-wearables': ['watch'],
  'google-sources': ['watch', 'phone'],
};
const prefix = 'users/me/dataSourceFamilies/';

const described: Record<SourceName, object> = {
  watch: sourceOf('FITBIT', 'Pixel Watch 4', 'Google', 'PASSIVELY_MEASURED'),
  phone: sourceOf('HEALTH_CONNECT', 'Pixel 10', 'Google', 'PASSIVELY_MEASURED'),
  scale: sourceOf('HEALTH_CONNECT', 'Lab scale', 'Lab', 'ACTIVELY_MEASURED'),
  sensor: sourceOf('HEALTH_CONNECT', 'Lab glucose sensor', 'Lab', 'PASSIVELY_MEASURED'),
};

/** The source of a point, as lists return it. */
export function describeSource(name: SourceName): object {
  return described[name];
}

/** The points that remain after merging a family: those that two devices counted are counted once. */
export function mergedFamily(family: string | undefined): (point: PlacedPoint) => boolean {
  const name =
    family === undefined ? 'all-sources' : family.startsWith(prefix) ? family.slice(prefix.length) : '';
  const sources = Object.hasOwn(families, name) ? families[name] : undefined;
  if (!sources)
    throw new GoogleRefusal(
      400,
      `dataSourceFamily must be one of ${Object.keys(families)
        .map((one) => prefix + one)
        .join(', ')}.`,
    );
  return ({ source, isEcho = false }) => !isEcho && sources.includes(source);
}

function sourceOf(platform: string, displayName: string, manufacturer: string, recordingMethod: string) {
  return { platform, device: { displayName, manufacturer }, recordingMethod };
}
