import type {
  DailyCandidateWire,
  DailyExplanationWire,
  ExplainedDeviceWire,
  OverlappingSessionWire,
  SleepExplanationWire,
  WorkoutExplanationWire,
} from '@tributary/contract';
import { explanationLimits } from '@tributary/contract';
import {
  formatDay,
  fromMicros,
  originalOf,
  roundTo,
  timezoneAt,
  timezoneOfDay,
  type Metric,
} from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { ExplainedCandidate } from '../../services/explain/explain-candidates.ts';
import type { DailyExplanation } from '../../services/explain/explain-daily.ts';
import type { SessionExplanation, SessionSource } from '../../services/explain/explain-session.ts';
import type { NamedDevice, ReportedRow } from '../../store/reads/explanations.ts';
import type { ReadUser } from '../../store/users/read.ts';

/** Maps internal names to wire names, and exact values to displayed ones. */
export function toDailyExplanationWire(explanation: DailyExplanation): DailyExplanationWire {
  const { row, metric, day, canonicalValue, method, contributors, candidates, merged } = explanation;
  const [winner] = contributors;
  const idOf = (deviceNo: number) => deviceIdOf(row.named.find((device) => device.deviceNo === deviceNo)!);
  return {
    metric: metric.id,
    date: formatDay(day),
    timezone: timezoneOfDay(day, row.timezones),
    unit: metric.unit,
    value: canonicalValue && shown(metric, canonicalValue.micros),
    exact_value: canonicalValue && fromMicros(canonicalValue.micros),
    summary: explanation.summary,
    method: method && {
      in_force: method.inForce,
      applied: method.applied,
      default: method.default,
      chosen_by: method.chosenBy,
      key: method.key,
      why: method.why,
    },
    winner: winner ? { device_id: deviceIdOf(winner), provider: winner.provider } : null,
    contributors: contributors.map(deviceIdOf),
    candidates: candidates.map((candidate) => toCandidateWire(metric, candidate, shownIds(explanation))),
    missing_reason: explanation.missing,
    derived_from:
      explanation.derivedFrom?.map(({ metric: input, micros }) => ({
        metric: input.id,
        value: micros === null ? null : shown(input, micros),
        unit: input.unit,
      })) ?? null,
    sessions:
      explanation.sessions
        ?.slice(0, explanationLimits.sessions)
        .map(({ id, kind, startMs, endMs, isMain }) => ({
          id: formatId(kind === 'sleep' ? 'slp' : 'wko', id),
          kind,
          start: timestamp(startMs),
          end: timestamp(endMs),
          is_main_sleep: isMain,
        })) ?? null,
    merged:
      merged?.intervals.map(({ startMs, endMs, value, deviceNo }) => ({
        start: timestamp(startMs),
        end: timestamp(endMs),
        value: fromMicros(Math.round(value)),
        device_id: idOf(deviceNo),
      })) ?? null,
    merged_truncated: merged?.truncated ?? false,
    pending_rebuild: explanation.pendingRebuild,
    provenance: toProvenanceWire(row),
  };
}

/** IDs of the used sessions, by device and the device's own ID for them. */
function shownIds({ row, sessionKind }: DailyExplanation): (session: ReportedRow) => string | null {
  const ids = new Map(row.shown.map(({ id, deviceNo, sourceId }) => [`${deviceNo}/${sourceId}`, id]));
  return ({ deviceNo, sourceId }) => {
    const id = ids.get(`${deviceNo}/${sourceId}`);
    return id === undefined ? null : formatId(sessionKind === 'sleep' ? 'slp' : 'wko', id);
  };
}

const originNames = { reported: 'reported_total', samples: 'samples', sessions: 'sessions' } as const;

function toCandidateWire(
  metric: Metric,
  candidate: ExplainedCandidate,
  idOf: (session: ReportedRow) => string | null,
): DailyCandidateWire {
  const { reading, samples } = candidate;
  const original = originalOf(metric, reading.micros, reading.unitCode);
  return {
    device: toExplainedDeviceWire(candidate.device),
    rank: candidate.rank,
    position: candidate.position,
    enabled: candidate.disabledBy === null,
    disabled_by: candidate.disabledBy,
    value: shown(metric, reading.micros),
    exact_value: fromMicros(Math.round(reading.micros)),
    unit: metric.unit,
    original_value: original.value,
    original_unit: original.unit,
    coverage: candidate.coverage,
    made_of: originNames[reading.from],
    samples: samples && {
      count: samples.count,
      first_at: timestamp(samples.firstMs),
      last_at: timestamp(samples.lastMs),
    },
    sessions: candidate.sessions.map((session) => ({
      id: idOf(session),
      source_id: session.sourceId,
      start: timestamp(session.startMs),
      end: timestamp(session.endMs),
    })),
    sessions_truncated: candidate.sessionsTruncated,
    batches: candidate.batches.map(({ readings, ...batch }) => ({ ...toBatchWire(batch), readings })),
    batches_truncated: candidate.batchesTruncated,
    outcome: candidate.outcome,
    reason: candidate.reason,
    because: candidate.because,
  };
}

export function toSleepExplanationWire(explanation: SessionExplanation): SleepExplanationWire {
  const { session, main, excluded } = explanation;
  return {
    id: formatId('slp', session.id),
    kind: 'sleep',
    ...toSessionWire(explanation),
    is_main_sleep: session.isMain,
    main_because: main!.because,
    excluded: excluded.map((one) => toOverlappingWire(one, 'excluded')),
  };
}

export function toWorkoutExplanationWire(explanation: SessionExplanation): WorkoutExplanationWire {
  return { id: formatId('wko', explanation.session.id), kind: 'workout', ...toSessionWire(explanation) };
}

/** Fields shared by explanations of sleep and workouts. */
function toSessionWire(explanation: SessionExplanation) {
  const { user, session, usedSource, merged } = explanation;
  return {
    date: formatDay(session.day),
    timezone: timezoneAt(session.startMs, user.timezones),
    start: timestamp(session.startMs),
    end: timestamp(session.endMs),
    summary: explanation.summary,
    kept: toSessionSourceWire(usedSource),
    merged: merged.map((one) => toOverlappingWire(one, 'merged')),
    merged_truncated: explanation.mergedTruncated,
    pending_rebuild: explanation.pendingRebuild,
    provenance: toProvenanceWire(user),
  };
}

function toSessionSourceWire({ row, device, rank }: SessionSource) {
  return {
    device: toExplainedDeviceWire(device),
    rank,
    source_id: row.sourceId,
    start: timestamp(row.startMs),
    end: timestamp(row.endMs),
    ...toBatchWire(row),
  };
}

function toOverlappingWire(
  source: SessionExplanation['merged'][number],
  outcome: OverlappingSessionWire['outcome'],
): OverlappingSessionWire {
  const { overlapMinutes, reason, because } = source;
  return {
    ...toSessionSourceWire(source),
    overlap_minutes: roundTo(overlapMinutes, 1),
    outcome,
    reason,
    because,
  };
}

function toBatchWire(batch: { batchId: string; createdMs: number; receivedMs: number | null }) {
  return {
    batch_id: batch.batchId,
    created_at: timestamp(batch.createdMs),
    received_at: batch.receivedMs === null ? null : timestamp(batch.receivedMs),
  };
}

function toExplainedDeviceWire(device: NamedDevice): ExplainedDeviceWire {
  return {
    id: deviceIdOf(device),
    provider: device.provider,
    kind: device.kind,
    model: device.model,
    name: device.name,
    connected_at: device.connectedMs === null ? null : timestamp(device.connectedMs),
  };
}

function toProvenanceWire({ version }: ReadUser): DailyExplanationWire['provenance'] {
  return { answered_from: 'canonical layer', data_version: version };
}

function deviceIdOf({ id }: NamedDevice): string {
  return formatId('dev', id);
}

function shown(metric: Metric, micros: number): number {
  return roundTo(fromMicros(micros), metric.precision);
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
