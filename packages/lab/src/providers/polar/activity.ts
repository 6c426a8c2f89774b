import type { Day } from '../../world/people/day.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { lastSyncOf } from './sync.ts';
import { deviceTime, isoDuration } from './wire.ts';

const hourMs = 3_600_000;

export interface ActivitySamples {
  steps: boolean;
  zones: boolean;
}

/**
 * A day's activity as far as the device has synced, or null before the first sync. Values other than counts grow evenly. A correction adds a few
 * steps.
 */
export function activityOf(
  frame: Frame,
  life: Life,
  date: string,
  wanted: ActivitySamples,
): Record<string, unknown> | null {
  const day = life.dayOf(date);
  const lastSync = lastSyncOf(frame, life, day);
  if (!lastSync) return null;
  const share = (lastSync.until - day.start) / (day.end - day.start);
  const part = (whole: number): number => Math.round(whole * share);
  const hours = day.hourlySteps.filter((_, index) => day.start + index * hourMs < lastSync.until);
  const { low, medium, high } = day.activeSeconds;
  return {
    // The examples have no offset, so both are device time, although other documentation calls them UTC.
    start_time: deviceTime(day.start, day.timezone),
    end_time: deviceTime(lastSync.until, day.timezone),
    active_duration: isoDuration(part(low + medium + high)),
    inactive_duration: isoDuration(part(day.sedentarySeconds)),
    daily_activity: part(day.activeKcal / 5),
    calories: part(day.activeKcal + day.basalKcal),
    active_calories: part(day.activeKcal),
    steps: hours.reduce((sum, steps) => sum + steps, 0) + 10 * lastSync.revision,
    distance_from_steps: part(day.distanceM),
    ...((wanted.steps || wanted.zones) && { samples: samplesOf(day, hours, wanted) }),
  };
}

/** The heart rate of a day as far as synced, or null before the first sync. */
export function heartRateOf(
  frame: Frame,
  life: Life,
  date: string,
  userId: string,
): Record<string, unknown> | null {
  const day = life.dayOf(date);
  const lastSync = lastSyncOf(frame, life, day);
  if (!lastSync) return null;
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${userId}`,
    date,
    heart_rate_samples: day.heartRate
      .filter(({ at }) => at < lastSync.until)
      .map(({ at, value }) => ({
        heart_rate: value,
        sample_time: deviceTime(at, day.timezone).slice(11),
      })),
  };
}

function samplesOf(day: Day, hours: number[], wanted: ActivitySamples): Record<string, unknown> {
  const timestamp = (index: number): string => deviceTime(day.start + index * hourMs, day.timezone);
  return {
    ...(wanted.steps && {
      steps: {
        interval_ms: hourMs,
        samples: hours.map((steps, index) => ({ steps, timestamp: timestamp(index) })),
      },
    }),
    ...(wanted.zones && {
      activity_zones: {
        samples: hours.map((steps, index) => ({ zone: zoneOf(steps), timestamp: timestamp(index) })),
      },
    }),
  };
}

/** The names are assumptions. */
function zoneOf(steps: number): string {
  if (steps < 250) return 'SEDENTARY';
  return steps < 2500 ? 'LIGHT' : 'CONTINUOUS_MODERATE';
}
