import { sportFamilies } from './sports.ts';

type Families = typeof sportFamilies;
export type SportFamily = keyof Families;
/** The sport of a workout, from a closed list. */
export type SportType = { [family in SportFamily]: keyof Families[family] }[SportFamily];

const families = new Map<SportType, SportFamily>();
const byName = new Map<string, SportType>();

for (const [family, sports] of Object.entries(sportFamilies)) {
  for (const [sport, others] of Object.entries<readonly string[]>(sports)) {
    families.set(sport as SportType, family as SportFamily);
    for (const name of [sport, ...others]) byName.set(plain(name), sport as SportType);
  }
}

export const sportTypes: readonly SportType[] = [...families.keys()];

const distanceMetrics: Partial<Record<SportFamily, string>> = {
  running: 'running',
  walking: 'walking',
  cycling: 'cycling',
  swimming: 'swimming',
  rowing: 'rowing',
  cross_country_skiing: 'cross_country_skiing',
  downhill_snow_sports: 'downhill_snow_sports',
  wheelchair: 'wheelchair_distance',
};

/** The sport that a platform or provider means by `text`. `other` if it is unknown. */
export function sportTypeOf(text: string): SportType {
  return byName.get(plain(text).replace(platformPrefix, '')) ?? 'other';
}

/** Sports of one family may be the same workout, reported by several devices. */
export function familyOf(sport: SportType): SportFamily {
  return families.get(sport) ?? 'other';
}

/** The ID of the metric that adds up the distances of this sport, if any. */
export function distanceMetricOf(sport: SportType): string | null {
  // On a tour, ascent equals descent, and only the descent counts.
  if (sport === 'backcountry_skiing') return null;
  return distanceMetrics[familyOf(sport)] ?? null;
}

const platformPrefix = /^(hkworkoutactivitytype|exercisesessiontype|exercisetype|workoutactivitytype)/;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
