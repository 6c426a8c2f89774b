import { explanationLimits, type MissingReason } from '@tributary/contract';
import {
  dayEndMs,
  dayStartMs,
  explainDay,
  explainMethod,
  explainUnused,
  formatDay,
  fromMicros,
  inputsOf,
  isEnabledFor,
  metricOf,
  minuteMs,
  placeInMonth,
  ruleOf,
  canonicalSleepMetrics,
  summarizeDay,
  toMicros,
  canonicalWorkoutMetrics,
  type CanonicalValue,
  type DayCandidate,
  type DayChoice,
  type DayDecision,
  type MergedInterval,
  type Method,
  type MethodChoice,
  type Metric,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { SessionKind } from '../../store/layers/device-sessions.ts';
import type { DayRow, NamedDevice, ShownRow } from '../../store/reads/explanations.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { reasonsFor } from '../daily/missing-reasons.ts';
import {
  consolidate,
  deviceOfMeasurement,
  longestNightOf,
  profileValueOf,
} from '../layers/consolidate-days.ts';
import { sessionValueOf } from '../layers/session-days.ts';
import type { UserState } from '../layers/user-state.ts';
import { evidenceOf } from './candidate-evidence.ts';
import { sessionKindOf, withInputs } from './day-inputs.ts';
import { decideAgain, stateOfDay } from './day-state.ts';
import { explainCandidates, listCandidates, type ExplainedCandidate } from './explain-candidates.ts';
import { nameDevices } from './name-devices.ts';
import type { ReadDay } from './read-explained-day.ts';

export interface DailyExplanation {
  row: DayRow;
  metric: Metric;
  day: number;
  /** The kind of sessions that the metric can be computed from. */
  sessionKind: SessionKind | null;
  canonicalValue: CanonicalValue | null;
  method: (MethodChoice & { applied: Method }) | null;
  /** The contributing devices, best rank first. */
  contributors: NamedDevice[];
  candidates: ExplainedCandidate[];
  missing: MissingReason | null;
  derivedFrom: { metric: Metric; micros: number | null }[] | null;
  sessions: (ShownRow & { kind: SessionKind })[] | null;
  merged: { intervals: readonly MergedInterval[]; truncated: boolean } | null;
  pendingRebuild: boolean;
  summary: string;
}

/** Explains a daily value: every device's value, the method, the winner, and why the others were not used. */
export async function explainDaily(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  { userId, metric, wanted, row }: ReadDay,
): Promise<DailyExplanation> {
  const { day } = wanted;
  const state = stateOfDay(tenant, userId, wanted, row);
  const stored = new Map(wanted.metrics.map((no) => [no, canonicalValueIn(state, no, day)]));
  const value = stored.get(metric.no) ?? null;
  await decideAgain(state, day, withInputs(metric.no));

  const labels = nameDevices(row.named);
  const named = new Map(row.named.map((device) => [device.deviceNo, device]));
  const choice = explainMethod(row.settings, metric);
  const merged = choice && (consolidate(state, day, metric.no, choice.inForce)?.merged ?? null);
  const candidates = listCandidates(state, metric, day, labels).map((candidate) => ({
    ...candidate,
    evidence: evidenceOf(state, wanted, row.reported, {
      metricNo: metric.no,
      deviceNo: candidate.device.deviceNo,
      isMerged: candidate.intervals.length > 0,
    }),
  }));
  const decision = decide(state, metric, day, { candidates, choice, labels });
  const sessions = sessionsBehind(metric, row);
  const pendingRebuild =
    state.changed.metrics.has(metric.no) ||
    candidates.some(({ evidence }) => evidence.isSplitDifferently) ||
    (sessions ?? []).some((session) => isGoing(row, session));
  const missing = value ? null : whyMissing(state, metric, day, row);
  const enabled = candidates.filter((candidate) => candidate.enabled);
  return {
    row,
    metric,
    day,
    sessionKind: sessionKindOf([metric.no]),
    canonicalValue: value,
    method: choice && { ...choice, applied: decision.applied },
    contributors: partsOf(value, decision).flatMap((deviceNo) => named.get(deviceNo) ?? []),
    candidates: await explainCandidates(ctx, tenant, userId, { metric, decision, named, candidates }),
    missing,
    derivedFrom: ingredientsOf(state, metric, stored),
    sessions,
    merged: merged && {
      intervals: merged.intervals.slice(0, explanationLimits.intervals),
      truncated: merged.intervals.length > explanationLimits.intervals,
    },
    pendingRebuild,
    summary: summarizeDay({
      metric,
      date: formatDay(day),
      micros: value?.micros ?? null,
      decision,
      candidates: candidates.length,
      enabled: enabled.length,
      providers: new Set(enabled.map(({ device }) => device.provider)).size,
      labelOf: (deviceNo) => labels.get(deviceNo)!,
      missing,
      isPending: pendingRebuild,
    }),
  };
}

function canonicalValueIn(state: UserState, metricNo: number, day: number): CanonicalValue | null {
  return state.month(metricNo, day).content[placeInMonth(day).index] ?? null;
}

/** What is known about the choice between devices. */
interface Known {
  candidates: readonly DayCandidate[];
  choice: MethodChoice | null;
  labels: ReadonlyMap<number, string>;
}

function decide(state: UserState, metric: Metric, day: number, known: Known): DayDecision {
  const { candidates, choice } = known;
  if (choice) return explainDay(metric, choice.inForce, candidates, choiceOf(state, metric, day, known));
  const from = ruleOf(metric.no)?.from ?? [];
  const parts = from.filter((input) => input !== metric.no);
  // Reported values of a derived metric are used only if an input is missing, and only if the metric lists itself among its inputs.
  const serves =
    from.includes(metric.no) && parts.some((input) => canonicalValueIn(state, input, day) === null);
  return serves
    ? explainDay(metric, 'priority', candidates, choiceOf(state, metric, day, known))
    : explainUnused(metric, candidates);
}

/** What restricts the choice between devices. */
function choiceOf(state: UserState, metric: Metric, day: number, { choice, labels }: Known): DayChoice {
  const { timezones } = state.user;
  const method = choice?.inForce ?? 'priority';
  const ofShown = sessionValueOf(state, day, metric.no, method);
  // Equal unless single devices recorded more than the shown sessions.
  const isOfShown = ofShown && consolidate(state, day, metric.no, method)?.value === ofShown.micros;
  const deviceNo = deviceOfMeasurement(state, day, metric.no);
  const night = longestNightOf(state, day, metric);
  const measuredBy = deviceNo === null ? null : { deviceNo, label: labels.get(deviceNo)! };
  return {
    period:
      night > 0
        ? { name: 'night', lengthMs: fromMicros(night) * minuteMs }
        : { name: 'day', lengthMs: dayEndMs(day, timezones) - dayStartMs(day, timezones) },
    measuredBy,
    sessionsOf: isOfShown ? partsOfValue(ofShown) : null,
  };
}

/** The sessions behind a metric, or null if it does not depend on sessions. */
function sessionsBehind({ no }: Metric, { shown }: DayRow): DailyExplanation['sessions'] {
  if (canonicalSleepMetrics.includes(no)) return shown.map((session) => ({ ...session, kind: 'sleep' }));
  if (canonicalWorkoutMetrics.includes(no)) return shown.map((session) => ({ ...session, kind: 'workout' }));
  return null;
}

/** Returns whether a session will disappear with the pending recompute. */
function isGoing(
  { named, settings }: DayRow,
  { kind, deviceNo }: NonNullable<DailyExplanation['sessions']>[number],
): boolean {
  const device = named.find((one) => one.deviceNo === deviceNo);
  if (!device || device.removed) return true;
  return kind === 'sleep' && !isEnabledFor(settings, 'sleep_stages', device.provider);
}

function whyMissing(state: UserState, metric: Metric, day: number, row: DayRow): MissingReason {
  const ofDay = [...(state.days.get(day) ?? [])].map(
    ([deviceNo, { content }]) => [deviceNo, content] as const,
  );
  const daysByDevice = new Map([[day, new Map(ofDay)]]);
  return reasonsFor(metric, {
    settings: row.settings,
    devices: row.named,
    deviceDays: daysByDevice,
    timezones: row.timezones,
    isKnown: (metricNo, on) => canonicalValueIn(state, metricNo, on) !== null,
  })(day);
}

/** The devices that contributed to the canonical value. For a derived value, those whose reported values were used. */
function partsOf(canonicalValue: CanonicalValue | null, decision: DayDecision): readonly number[] {
  if (!canonicalValue) return [];
  return canonicalValue.source === 0 ? decision.contributors : partsOfValue(canonicalValue);
}

function partsOfValue({ source, contributors }: CanonicalValue): readonly number[] {
  return contributors.length > 0 ? contributors : [source];
}

/** The inputs of a derived value. Null if a device reported the value. */
function ingredientsOf(
  state: UserState,
  metric: Metric,
  stored: ReadonlyMap<number, CanonicalValue | null>,
): DailyExplanation['derivedFrom'] {
  const value = stored.get(metric.no);
  if (!ruleOf(metric.no) || (value && value.source !== 0)) return null;
  return inputsOf(metric.no).map((input) => {
    const ofProfile = profileValueOf(state, input);
    const micros = stored.get(input)?.micros ?? (ofProfile === null ? null : toMicros(ofProfile));
    return { metric: metricOf(input), micros };
  });
}
