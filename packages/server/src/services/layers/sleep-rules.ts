import {
  clusterSleep,
  dayOf,
  dayOfSleep,
  isEnabledFor,
  mainOf,
  canonicalSleepMetrics,
  sleepDayMetrics,
  summarizeSleep,
  type SleepReading,
  type SummarizedSleep,
} from '@tributary/domain';
import { keyOfSession, type LiveSession, type SessionRules } from './session-rules.ts';

/** The stored content of a sleep session besides its span. */
type SleepContent = Pick<SleepReading, 'utcOffsetMinutes' | 'stages' | 'minutes' | 'vitals'>;

type Decidable = SummarizedSleep & { from: LiveSession<SleepContent> };

/** Sleep sessions belong to the day they end on. Of overlapping sessions, those of one device are used. */
export const sleepRules: SessionRules<SleepReading, SleepContent> = {
  kind: 'sleep',
  readingsOf: (batch) => batch.sleep,
  contentOf: ({ utcOffsetMinutes, stages, minutes, vitals }) => ({
    utcOffsetMinutes,
    stages,
    minutes,
    vitals,
  }),
  dayOf: ({ endMs }, timezones) => dayOf(endMs, timezones),
  decide(sessions, settings, timezones) {
    const clusters = clusterSleep(
      sessions.map((session) => ({
        ...decidable(session),
        enabled: isEnabledFor(settings, 'sleep_stages', session.device.provider),
      })),
    );
    const places = new Map(sessions.map((session, at) => [keyOfSession(session), at]));
    const byDay = Map.groupBy(clusters, ({ session }) => session.from.day);
    const mains = new Set(
      [...byDay.values()].map((ofDay) =>
        mainOf(
          ofDay.map(({ session }) => session),
          timezones,
        ),
      ),
    );
    return clusters.map(({ session, mergedKeys }) => ({
      day: session.from.day,
      isMain: mains.has(session),
      deviceNo: session.device.deviceNo,
      sourceId: session.from.sourceId,
      startMs: session.startMs,
      endMs: session.endMs,
      content: { ...session.summary, vitals: session.vitals },
      mergedFrom: mergedKeys
        .map((key) => places.get(key)!)
        .sort((a, b) => a - b)
        .map((at) => [sessions[at]!.device.deviceNo, sessions[at]!.sourceId] as const),
    }));
  },
  valuesOf: (sessions, timezones) => dayOfSleep(sessions.map(decidable), timezones),
  metrics: sleepDayMetrics,
  canonicalMetrics: canonicalSleepMetrics,
};

/** The session as its device reported it. The settings determine whether it is enabled. */
function decidable(session: LiveSession<SleepContent>): Decidable {
  const summary = summarizeSleep({ ...session, ...session.content });
  return {
    from: session,
    key: keyOfSession(session),
    device: session.device,
    startMs: session.startMs,
    endMs: session.endMs,
    asleepMinutes: summary.asleepMinutes,
    inBedMinutes: summary.inBedMinutes,
    enabled: true,
    summary,
    vitals: session.content.vitals,
  };
}
