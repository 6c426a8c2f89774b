import {
  consolidateDay,
  derivedMetrics,
  findMetric,
  fromMicros,
  metricOf,
  placeInMonth,
  sameValue,
  toMicros,
  valueOfDay,
  type Candidate,
  type CanonicalValue,
  type DayNumber,
  type Method,
} from '@tributary/domain';
import type { UserState } from './user-state.ts';

/** Decides every stale day and metric again from what the devices say, then what follows from that. */
export function consolidateDays(state: UserState): void {
  for (const [day, stale] of state.stale) {
    for (const metricNo of stale) {
      const { defaultMethod } = metricOf(metricNo);
      if (defaultMethod) setAnswer(state, day, metricNo, decide(state, day, metricNo, defaultMethod));
    }
    for (const { no, from, compute } of derivedMetrics) {
      if (!from.some((input) => stale.has(input))) continue;
      const value = compute(
        (id) => answerOf(state, day, findMetric(id)!.no),
        (id) => fromMicrosOrNull(decide(state, day, findMetric(id)!.no, 'priority')),
      );
      setAnswer(
        state,
        day,
        no,
        value === null ? null : { micros: toMicros(value), source: 0, contributors: [] },
      );
      stale.add(no); // others follow from this one
    }
  }
  state.stale.clear();
}

/** Puts an answer in place and notes whether it is another one than before. */
export function setAnswer(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  answer: CanonicalValue | null,
): void {
  const { index } = placeInMonth(day);
  const month = state.month(metricNo, day);
  if (sameValue(month.content[index] ?? null, answer)) return;
  month.content[index] = answer;
  month.changed = true;
  state.changed.metrics.add(metricNo);
  state.noteChange([day]);
}

function answerOf(state: UserState, day: DayNumber, metricNo: number): number | null {
  return fromMicrosOrNull(state.month(metricNo, day).content[placeInMonth(day).index] ?? null);
}

function fromMicrosOrNull(answer: CanonicalValue | null): number | null {
  return answer && fromMicros(answer.micros);
}

function decide(state: UserState, day: DayNumber, metricNo: number, method: Method): CanonicalValue | null {
  const candidates: Candidate[] = [];
  for (const [deviceNo, { content }] of state.days.get(day) ?? []) {
    const value = valueOfDay(content, metricNo);
    const device = state.devices.find((known) => known.deviceNo === deviceNo && known.removedMs === null);
    if (value !== null && device) candidates.push({ device, value, enabled: true });
  }
  const decided = consolidateDay(metricOf(metricNo), method, candidates);
  if (!decided) return null;
  const { value, source, contributors } = decided;
  return { micros: Math.round(value), source, contributors: contributors.length > 1 ? contributors : [] };
}
