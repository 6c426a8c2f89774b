import { ApiError, explanationLimits } from '@tributary/contract';
import {
  explainExcluded,
  explainMainSleep,
  explainMerged,
  isEnabledFor,
  rankForSession,
  summarizeSession,
  type DeviceFacts,
  type MainVerdict,
  type SessionVerdict,
  type LabeledSession,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { SessionKind } from '../../store/layers/device-sessions.ts';
import {
  readExplainedSession,
  type ArrivedRow,
  type NamedDevice,
  type SessionRows,
  type ShownSession,
} from '../../store/reads/explanations.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { keyOfSession } from '../layers/session-rules.ts';
import { UserState } from '../layers/user-state.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { nameDevices } from './name-devices.ts';

/** A session as one device reported it. */
export interface SessionSource {
  row: ArrivedRow;
  device: NamedDevice;
  rank: number;
}

export interface SessionExplanation {
  user: SessionRows;
  session: ShownSession;
  usedSource: SessionSource;
  merged: (SessionSource & SessionVerdict)[];
  mergedTruncated: boolean;
  excluded: (SessionSource & SessionVerdict)[];
  /** Null for workouts. */
  main: MainVerdict | null;
  pendingRebuild: boolean;
  summary: string;
}

type ComparableSource = SessionSource & { reportedSession: LabeledSession };

/** Explains why a sleep session or workout is shown as it is. Throws `not_found` or `workout_not_found`. */
export async function explainSession(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  { kind, id }: { kind: SessionKind; id: string },
): Promise<SessionExplanation> {
  const user = await readExplainedSession(ctx.db, tenant, userId, kind, id);
  if (!user) throw userNotFound(formatId('user', userId));
  const { session } = user;
  if (!session) throw sessionNotFound(kind);
  const { settings } = user;
  const { devices } = new UserState({ ...tenant, ...user, userId }, user.devices ?? []);
  const sources = sourcesOf(kind, user, devices);
  const primarySource = sources.find(({ row }) => isOf(row, session))!;
  const mergedKeys = new Set(session.mergedFrom.map(([deviceNo, sourceId]) => `${deviceNo}/${sourceId}`));
  const isMerged = ({ row }: ComparableSource) => mergedKeys.has(`${row.deviceNo}/${row.sourceId}`);
  const isOut = ({ device }: ComparableSource) =>
    kind === 'sleep' && !isEnabledFor(settings, 'sleep_stages', device.provider);
  const others = sources.filter((one) => one !== primarySource && !one.device.removed);
  const merged = others.filter((one) => isMerged(one) && !isOut(one));
  const excluded = others.filter(isOut);
  const pendingRebuild =
    primarySource.device.removed ||
    sources.some((one) => (one === primarySource || isMerged(one)) && (isOut(one) || one.device.removed));
  return {
    user,
    session,
    usedSource: primarySource,
    merged: merged
      .slice(0, explanationLimits.sessions)
      .map((one) => ({ ...one, ...explainMerged(kind, primarySource.reportedSession, one.reportedSession) })),
    mergedTruncated: merged.length > explanationLimits.sessions,
    excluded: excluded.slice(0, explanationLimits.sessions).map((one) => {
      const where = isEnabledFor(settings, null, one.device.provider) ? 'for sleep' : 'everywhere';
      return { ...one, ...explainExcluded(primarySource.reportedSession, one.reportedSession, where) };
    }),
    main: mainVerdict(user, session, devices),
    pendingRebuild,
    summary: summarizeSession(primarySource.reportedSession, {
      merged: merged.length,
      fromOtherDevices: merged.every(({ row }) => row.deviceNo !== primarySource.row.deviceNo),
      excluded: excluded.length,
      pending: pendingRebuild,
    }),
  };
}

/** Why a sleep session is or is not the main one of its day. Null for a workout. */
function mainVerdict(
  user: SessionRows,
  session: ShownSession,
  devices: readonly DeviceFacts[],
): MainVerdict | null {
  const ofDay = user.ofDay.map(({ content, ...row }) => {
    const device = devices.find(({ deviceNo }) => deviceNo === row.deviceNo)!;
    return {
      ...row,
      ...content,
      device,
      key: keyOfSession({ device, sourceId: row.sourceId }),
      enabled: true,
    };
  });
  const own = ofDay.find(({ id }) => id === session.id);
  return own ? explainMainSleep(own, ofDay, user.timezones) : null;
}

function sourcesOf(
  kind: SessionKind,
  { reported: reportedRows, named }: SessionRows,
  devices: readonly DeviceFacts[],
): ComparableSource[] {
  const labels = nameDevices(named);
  return reportedRows.flatMap((row) => {
    const facts = devices.find(({ deviceNo }) => deviceNo === row.deviceNo);
    const device = named.find(({ deviceNo }) => deviceNo === row.deviceNo);
    if (!facts || !device) return [];
    const { startMs, endMs, sourceId, hasDistance } = row;
    const key = keyOfSession({ device: facts, sourceId });
    const label = labels.get(row.deviceNo)!;
    // All count as first-hand, as in the decision which session to show.
    const session = { key, device: facts, label, startMs, endMs, firstHand: true, hasDistance };
    return [{ row, device, rank: rankForSession(kind, facts), reportedSession: session }];
  });
}

function isOf(row: ArrivedRow, { deviceNo, sourceId }: ShownSession): boolean {
  return row.deviceNo === deviceNo && row.sourceId === sourceId;
}

/** The same error for a session that never existed, is gone, or belongs to another user. */
export function sessionNotFound(kind: SessionKind): ApiError {
  if (kind === 'workout') return new ApiError('workout_not_found');
  return new ApiError('not_found', {
    message: 'Sleep session not found. Use an ID from this user’s list of sleep sessions.',
  });
}
