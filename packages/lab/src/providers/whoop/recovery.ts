import type { Person } from '../../world/people/person.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { cycleId } from './cycle-id.ts';
import { scoringMs, type SeenSleep } from './sleep.ts';
import { percent, stampOf } from './wire.ts';

/** The recovery after a night. It has no id or times of its own, so it uses those of its sleep. */
export function recoveryRecord(
  frame: Frame,
  life: Life,
  night: SeenSleep,
  userId: string,
): Record<string, unknown> {
  const { person } = life;
  const key = { person: person.id, kind: 'recovery', key: night.key };
  const seen = frame.visible(key, night.sleep.end + scoringMs);
  return {
    cycle_id: cycleId(person.id, night.date),
    sleep_id: night.id,
    user_id: Number(userId),
    created_at: stampOf(night.createdAt),
    updated_at: stampOf(Math.max(night.createdAt, seen?.updatedAt ?? 0)),
    score_state: seen ? 'SCORED' : 'PENDING_SCORE',
    ...(seen && { score: recoveryScore(frame, person, night, seen.revision) }),
  };
}

/** Whether the person's hardware measures oxygen and temperature. Not all models do. */
function hasSensors(frame: Pick<Frame, 'chance'>, person: Person): boolean {
  return frame.chance('hardware', person.id) >= 0.2;
}

function recoveryScore(
  frame: Frame,
  person: Person,
  night: SeenSleep,
  revision: number,
): Record<string, unknown> {
  const { truth, sleep } = night;
  return {
    user_calibrating: false,
    recovery_score: percent(
      0.4 + truth.hrvRmssd / 200 - (truth.restingHeartRate - 55) / 100 - revision / 100,
    ),
    resting_heart_rate: truth.restingHeartRate,
    hrv_rmssd_milli: truth.hrvRmssd,
    ...(hasSensors(frame, person) && {
      spo2_percentage: sleep.bloodOxygenPercent,
      skin_temp_celsius: sleep.skinTemperatureC,
    }),
  };
}
