import { formatDay } from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { SandboxWeek } from '../../services/sandbox/read-week.ts';

/** A week for programs: everything the text shows, with all values. */
export function toWeekJson({ person, nowMinute, days, latest }: SandboxWeek) {
  return {
    user_id: formatId('user', person.id),
    reference_id: person.referenceId,
    archetype: person.archetype,
    timezone: person.timezone,
    today: formatDay(days.at(-1)!.day),
    minutes_of_today: Math.floor(nowMinute),
    days_ahead: person.daysAhead,
    score_status: person.scoreStatus,
    providers: person.providers,
    heart_rate_every_minutes: (24 * 60) / days[0]!.heartRate.length,
    days: days.map((day) => ({
      date: formatDay(day.day),
      heart_rate: day.heartRate.map((mean) => (mean === null ? null : Math.round(mean))),
      heart_rate_min: day.lowestHeartRate,
      heart_rate_max: day.highestHeartRate,
      steps: day.steps,
      sleep: day.sleep.map((sleep) => ({
        start_minute: Math.floor(sleep.startMinute),
        end_minute: Math.floor(sleep.endMinute),
        is_main_sleep: sleep.isMain,
        asleep_minutes: sleep.asleepMinutes,
        efficiency_pct:
          sleep.efficiencyPercent === null ? null : Math.round(sleep.efficiencyPercent * 10) / 10,
      })),
      workouts: day.workouts.map(({ startMinute, sport, durationMinutes, strain }) => ({
        start_minute: Math.floor(startMinute),
        sport_type: sport,
        duration_minutes: Math.round(durationMinutes),
        strain,
      })),
      scores: day.scores,
    })),
    latest: latest.map(({ type, value, day, factors }) => ({ type, date: formatDay(day), value, factors })),
  };
}
