import { fieldsOf, instantOf, listOf, numberOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder, SleepInput } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { offsetOfDuration, sessionIdOf, valueOf } from './wire.ts';

type Stages = NonNullable<SleepInput['stages']>;

/** RESTLESS belongs to classic sleep, whose summary counts it as awake. */
const stageWords: Readonly<Record<string, Stages[number]['stage']>> = {
  AWAKE: 'awake',
  RESTLESS: 'awake',
  LIGHT: 'light',
  DEEP: 'deep',
  REM: 'rem',
  ASLEEP: 'asleep',
};

/** Maps sleep sessions: stages as spans, minutes as Google counts them. */
export function mapSleep(documents: Documents, batch: BatchBuilder): void {
  for (const point of documents) {
    const { interval, stages, summary } = valueOf('sleep', point);
    const { startTime, endTime, endUtcOffset } = fieldsOf(interval);
    const minutes = fieldsOf(summary);
    const staged = (type: string): number | null => minutesOfStage(type, minutes['stagesSummary']);
    batch.addSleep({
      id: sessionIdOf(point),
      startMs: instantOf(startTime),
      endMs: instantOf(endTime),
      offset: offsetOfDuration(endUtcOffset),
      stages: stagesOf(stages),
      minutes: {
        asleep: numberOf(minutes['minutesAsleep']),
        awake: numberOf(minutes['minutesAwake']),
        in_bed: numberOf(minutes['minutesInSleepPeriod']),
        light: staged('LIGHT'),
        deep: staged('DEEP'),
        rem: staged('REM'),
      },
      vitals: {
        sleep_latency: numberOf(minutes['minutesToFallAsleep']),
        latency_to_arising: numberOf(minutes['minutesAfterWakeUp']),
      },
    });
  }
}

function stagesOf(stages: unknown): Stages {
  return listOf(stages).flatMap((item) => {
    const { type, startTime, endTime } = fieldsOf(item);
    const stage = stageWords[textOf(type) ?? ''];
    const [startMs, endMs] = [instantOf(startTime), instantOf(endTime)];
    return stage && startMs !== null && endMs !== null ? [{ stage, startMs, endMs }] : [];
  });
}

function minutesOfStage(type: string, summary: unknown): number | null {
  const stageSummary = listOf(summary)
    .map(fieldsOf)
    .find((one) => one['type'] === type);
  return numberOf(stageSummary?.['minutes']);
}
