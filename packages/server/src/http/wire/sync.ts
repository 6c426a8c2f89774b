import type { DeviceSyncWire } from '@tributary/contract';
import { dayMs } from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { SyncRecord } from '../../store/connections/sync-runs.ts';
import { toSyncStateWire } from './wire.ts';

export function toDeviceSyncWire(deviceId: string, record: SyncRecord, nowMs: number): DeviceSyncWire {
  return {
    device_id: formatId('dev', deviceId),
    provider: record.provider,
    status: record.status,
    sync: toSyncStateWire(record)!, // every connection has one
    last_push_at: record.lastPushAt,
    last_new_data_at: record.lastNewsAt,
    next_poll_at: record.pollAt,
    history: toHistoryWire(record, nowMs),
    runs: record.runs.map(({ cause, outcome, startedAt, endedAt, calls, documents, news, from, to }) => ({
      cause,
      outcome: outcome as DeviceSyncWire['runs'][number]['outcome'],
      started_at: startedAt,
      ended_at: endedAt,
      calls,
      documents,
      new_documents: news,
      from,
      to,
    })),
  };
}

/** How much history before the connection has been read, and when the backfill ends at the current pace. */
function toHistoryWire(record: SyncRecord, nowMs: number): DeviceSyncWire['history'] {
  const {
    historyTopMs: top,
    historyFromMs: from,
    historyToMs: to,
    historyBeganMs: began,
    historyDue,
  } = record;
  if (top === null || from === null || to === null)
    return { state: 'none', days_total: 0, days_done: 0, reaches_back_to: null, estimated_end_at: null };
  const doneMs = historyDue ? top - to : top - from;
  const pace = began === null || doneMs <= 0 ? null : (nowMs - began) / doneMs;
  return {
    state: historyDue ? 'running' : 'done',
    days_total: Math.round((top - from) / dayMs),
    days_done: Math.round(doneMs / dayMs),
    reaches_back_to: new Date(top - doneMs).toISOString(),
    estimated_end_at: historyDue && pace !== null ? new Date(nowMs + pace * (to - from)).toISOString() : null,
  };
}
