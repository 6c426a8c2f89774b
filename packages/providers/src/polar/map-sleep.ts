import { minuteMs } from '@tributary/domain';
import { dateOf, fieldsOf, minutesOfSeconds, numberOf, offsetOf } from '../mapping/read.ts';
import type { BatchBuilder, SleepInput } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { momentsOf, nightClockOf, type NightClock } from './night-clock.ts';

type Stages = NonNullable<SleepInput['stages']>;

/** An unknown stage is some kind of sleep, because Polar counts it as such. */
const stageWords: readonly Stages[number]['stage'][] = ['awake', 'rem', 'light', 'light', 'deep', 'asleep'];

/** Maps nights. Polar has one per date, which is its only id. */
export function mapSleep(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const night = fieldsOf(document);
    const clock = nightClockOf(night['sleep_start_time'], night['sleep_end_time']);
    if (!clock) continue;
    const light = minutesOfSeconds(night['light_sleep']);
    const deep = minutesOfSeconds(night['deep_sleep']);
    const rem = minutesOfSeconds(night['rem_sleep']);
    const offset = offsetOf(night['sleep_end_time']);
    batch.addSleep({
      id: dateOf(night['date']),
      startMs: clock.startMs,
      endMs: clock.endMs,
      offset,
      stages: stagesOf(clock, night['hypnogram']),
      minutes: {
        // A sum with a missing part would be too small.
        asleep:
          light === null || deep === null || rem === null
            ? null
            : light + deep + rem + (minutesOfSeconds(night['unrecognized_sleep_stage']) ?? 0),
        light,
        deep,
        rem,
        awake: minutesOfSeconds(night['total_interruption_duration']),
        in_bed: (clock.endMs - clock.startMs) / minuteMs,
      },
      vitals: {
        device_sleep_score: numberOf(night['sleep_score']),
        sleep_cycles: numberOf(night['sleep_cycles']),
      },
    });
    batch.addSeries({ metric: 'heart_rate', points: momentsOf(clock, night['heart_rate_samples']), offset });
  }
}

/** Each stage lasts until the next. */
function stagesOf(clock: NightClock, hypnogram: unknown): Stages {
  const moments = momentsOf(clock, hypnogram);
  return moments.flatMap(([startMs, depth], index) => {
    const stage = stageWords[depth];
    return stage ? [{ stage, startMs, endMs: moments[index + 1]?.[0] ?? clock.endMs }] : [];
  });
}
