import {
  exclusionOf,
  methodFor,
  rankOf,
  roundTo,
  type DayCandidate,
  type DayDecision,
  type Metric,
  type Verdict,
} from '@tributary/domain';
import type { Exclusion } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { readArrivals, type NamedDevice } from '../../store/reads/explanations.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { candidatesOf } from '../layers/consolidate-days.ts';
import { countsOwnSessions } from '../layers/session-days.ts';
import type { UserState } from '../layers/user-state.ts';
import type { BatchShare, Evidence } from './candidate-evidence.ts';

/** A batch with its time of arrival, which is null past retention. */
interface ArrivedBatch extends BatchShare {
  receivedMs: number | null;
}

/** A device's value, the data behind it, and the verdict on it. */
export interface ExplainedCandidate extends Omit<Evidence, 'batches'>, Verdict {
  device: NamedDevice;
  rank: number;
  disabledBy: Exclusion | null;
  /** Null if the value comes from sessions. */
  coverage: number | null;
  batches: ArrivedBatch[];
}

/** The values of all remaining devices for a metric and day. */
export function listCandidates(
  state: UserState,
  metric: Metric,
  day: number,
  labels: ReadonlyMap<number, string>,
): DayCandidate[] {
  const method = methodFor(state.user.settings, metric) ?? 'priority';
  const ownSessionsCount = countsOwnSessions(state, day, metric, method);
  return candidatesOf(state, day, metric.no).map((candidate) => ({
    ...candidate,
    label: labels.get(candidate.device.deviceNo)!,
    isIncomplete: method !== 'priority' && candidate.isIncomplete,
    isOfOtherSessions: candidate.isFromSessions && !ownSessionsCount,
    disabledBy: exclusionOf(state.user.settings, metric, candidate.device.provider),
  }));
}

/** Explains the candidates, those in use first. The arrival times of batches need a second query. */
export async function explainCandidates(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  input: {
    metric: Metric;
    decision: DayDecision;
    named: ReadonlyMap<number, NamedDevice>;
    candidates: readonly (DayCandidate & { evidence: Evidence })[];
  },
): Promise<ExplainedCandidate[]> {
  const { metric, decision, named, candidates } = input;
  const ids = new Set(candidates.flatMap(({ evidence }) => evidence.batches.map(({ batchId }) => batchId)));
  const arrivals = ids.size > 0 ? await readArrivals(ctx.db, tenant, userId, [...ids]) : null;
  return candidates
    .map(({ device, disabledBy, evidence, coverage }) => ({
      ...evidence,
      ...decision.verdicts.get(device.deviceNo)!,
      device: named.get(device.deviceNo)!,
      rank: rankOf(metric, device),
      disabledBy,
      coverage: evidence.reading.from === 'sessions' ? null : roundTo(coverage, 3),
      batches: evidence.batches.map((batch) => ({
        ...batch,
        receivedMs: arrivals?.get(batch.batchId) ?? null,
      })),
    }))
    .sort(
      (a, b) =>
        (a.position ?? Infinity) - (b.position ?? Infinity) ||
        a.rank - b.rank ||
        a.device.deviceNo - b.device.deviceNo,
    );
}
