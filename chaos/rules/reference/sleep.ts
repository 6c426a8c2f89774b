import type { Calendar } from './calendar.ts';
import { choose, representedBy, type Chosen } from './choose.ts';
import { unionMs, wholeDay } from './device-days.ts';
import { byRank } from './ranks.ts';
import type { Device, SleepItem } from './uploads.ts';

/** A sleep session that the API returns. */
export interface Night {
  device: Device;
  date: string;
  startMs: number;
  endMs: number;
  minutes: { asleep: number | null; deep: number | null; light: number | null; rem: number | null };
  isMain: boolean;
  /** Whether coverage decided against rank, or other devices recorded the same sleep. */
  isContested: boolean;
}

interface Session {
  device: Device;
  startMs: number;
  endMs: number;
  item: SleepItem;
}

const minuteMs = 60_000;
const leastCoverage = 0.6;

/**
 * Overlapping sessions are one sleep, from the best-ranked device that covers at least 60 % of the time from the first start to the last end.
 * If none does, half of the best coverage is enough, as for days. Sessions without a time asleep count only where no other session has one.
 */
export function shownNights(devices: readonly Device[], calendar: Calendar): Night[] {
  const sessions = devices
    .flatMap((device) => [...device.sleep.values()].map((item) => sessionOf(device, item)))
    .toSorted((a, b) => a.startMs - b.startMs);
  const measured = sessions.filter(({ item }) => minutesOf(item).asleep !== null);
  const others = sessions.filter(
    (session) =>
      !measured.includes(session) &&
      !measured.some((one) => one.startMs < session.endMs && session.startMs < one.endMs),
  );
  const clusters = [...clustersOf(measured), ...clustersOf(others)];
  const nights = clusters.flatMap((cluster) => shownOf(cluster, calendar));
  for (const ofDay of Map.groupBy(nights, ({ date }) => date).values()) {
    const long = ofDay.filter((night) => asleepOrInBed(night) >= 60 && !isNap(night, calendar));
    const known = long.filter(({ minutes }) => minutes.asleep !== null);
    const [main] = (known.length > 0 ? known : long).toSorted((a, b) => asleepOrInBed(b) - asleepOrInBed(a));
    if (main) main.isMain = true;
  }
  return nights;
}

const sessionOf = (device: Device, item: SleepItem): Session => ({
  device,
  item,
  startMs: Date.parse(item.start),
  endMs: Date.parse(item.end),
});

function clustersOf(sessions: readonly Session[]): Session[][] {
  const clusters: Session[][] = [];
  let untilMs = -Infinity;
  for (const session of sessions) {
    if (session.startMs < untilMs) clusters.at(-1)!.push(session);
    else clusters.push([session]);
    untilMs = Math.max(untilMs, session.endMs);
  }
  return clusters;
}

function shownOf(cluster: readonly Session[], calendar: Calendar): Night[] {
  const spanMs = Math.max(...cluster.map(({ endMs }) => endMs)) - cluster[0]!.startMs;
  const ranked = [...Map.groupBy(cluster, ({ device }) => device)].toSorted(([a], [b]) =>
    byRank('sleep')(a, b),
  );
  const coverageOf = (sessions: readonly Session[]) => unionMs(sessions) / spanMs;
  const most = Math.max(...ranked.map(([, sessions]) => coverageOf(sessions)));
  const least = most >= leastCoverage ? leastCoverage : most / 2;
  const [, chosen] = ranked.find(([, sessions]) => coverageOf(sessions) >= least)!;
  return chosen.map(({ device, startMs, endMs, item }) => ({
    device,
    date: calendar.dateOf(endMs),
    startMs,
    endMs,
    minutes: minutesOf(item),
    isMain: false,
    isContested: ranked.length > 1,
  }));
}

/** Reported minutes take precedence over the sum of the stages. */
function minutesOf({ minutes = {}, stages = [] }: SleepItem): Night['minutes'] {
  const inStage = (...names: string[]) => {
    const some = stages.filter(({ stage }) => names.includes(stage));
    if (stages.length === 0) return null;
    return some.reduce((sum, { start, end }) => sum + (Date.parse(end) - Date.parse(start)) / minuteMs, 0);
  };
  return {
    asleep: minutes['asleep'] ?? inStage('light', 'deep', 'rem', 'asleep'),
    deep: minutes['deep'] ?? inStage('deep'),
    light: minutes['light'] ?? inStage('light'),
    rem: minutes['rem'] ?? inStage('rem'),
  };
}

function asleepOrInBed({ minutes, startMs, endMs }: Night): number {
  return minutes.asleep ?? (endMs - startMs) / minuteMs;
}

/** Whether the session is shorter than three hours and lies between 9:00 and 21:00. */
function isNap({ startMs, endMs }: Night, calendar: Calendar): boolean {
  return (
    endMs - startMs < 180 * minuteMs &&
    calendar.dateOf(startMs) === calendar.dateOf(endMs) &&
    calendar.minutesOf(startMs) >= 9 * 60 &&
    calendar.minutesOf(endMs) <= 21 * 60
  );
}

const metrics = { asleep: 'asleep', deep_sleep: 'deep', light_sleep: 'light', REM: 'rem' } as const;

/** Daily values of sleep: sums over the sessions of the day. A value that the main sleep does not have is missing. */
export function sleepDays(nights: readonly Night[]): Map<string, Map<string, Chosen>> {
  const result = new Map<string, Map<string, Chosen>>();
  for (const [date, ofDay] of Map.groupBy(nights, (night) => night.date)) {
    const values = new Map<string, Chosen>();
    const main = ofDay.find(({ isMain }) => isMain);
    for (const [metric, field] of Object.entries(metrics)) {
      const known = ofDay.filter(({ minutes }) => minutes[field] !== null);
      if (known.length === 0 || (main && !known.includes(main))) continue;
      const [first] = known.toSorted((a, b) => a.startMs - b.startMs);
      values.set(metric, {
        value: known.reduce((sum, { minutes }) => sum + minutes[field]!, 0),
        ...representedBy((main ?? first!).device),
        rules: new Set(known.some(({ isContested }) => isContested) ? ['sleep cluster'] : []),
      });
    }
    result.set(date, values);
  }
  return result;
}

/**
 * Daily values of sleep as a mean over providers. Each contributes what its best-ranked device recorded, of the devices that recorded at least
 * half as much sleep as any.
 */
export function averagedSleepDays(
  devices: readonly Device[],
  calendar: Calendar,
): Map<string, Map<string, Chosen>> {
  const nights = devices.flatMap((device) => shownNights([device], calendar));
  const result = new Map<string, Map<string, Chosen>>();
  for (const [date, ofDay] of Map.groupBy(nights, (night) => night.date)) {
    const byDevice = [...Map.groupBy(ofDay, ({ device }) => device)].map(([device, own]) => {
      const sumOf = (field: keyof Night['minutes']) => {
        const known = own.flatMap(({ minutes }) => minutes[field] ?? []);
        return known.length === 0 ? null : known.reduce((sum, minutes) => sum + minutes, 0);
      };
      return { device, sumOf, asleep: sumOf('asleep') ?? 0 };
    });
    const most = Math.max(...byDevice.map(({ asleep }) => asleep));
    const values = new Map<string, Chosen>();
    for (const [metric, field] of Object.entries(metrics)) {
      const recorded = byDevice.flatMap(({ device, sumOf, asleep }) => {
        const value = sumOf(field);
        if (value === null) return [];
        return [{ ...wholeDay(device, value, calendar.day(date)), coverage: most === 0 ? 1 : asleep / most }];
      });
      const chosen = choose(recorded, 'sleep', 'avg', false);
      if (chosen) values.set(metric, chosen);
    }
    result.set(date, values);
  }
  return result;
}
