import type { LabClock } from './clock.ts';
import type { Counts } from './counts.ts';
import type { Push, PushRetry } from '../provider.ts';
import { sendOnce, type PushResponse } from './send-once.ts';

/** A push with all its attempts and its outcome. */
export interface PushRecord {
  id: number;
  provider: string;
  push: Push;
  attempts: PushAttempt[];
  outcome: 'pending' | 'succeeded' | 'failed' | 'lost';
}

interface PushAttempt extends PushResponse {
  /** In lab time. */
  at: number;
}

/** The default retry schedule of document pushes. */
export const DEFAULT_RETRY: PushRetry = {
  delaysSeconds: [10, 60, 3600],
  timeoutMs: 10_000,
  isSuccess: (status) => status >= 200 && status < 300,
};

// Drops old records, so that a lab that runs for weeks does not grow without bound.
const MAX_RECORDS = 10_000;

export interface PushLog {
  /** Sends a push. Resolves after the first attempt. */
  send: (provider: string, push: Push, retry: PushRetry) => Promise<void>;
  /** Resolves when no attempt is in flight. */
  idle: () => Promise<void>;
  /** Newest last. */
  list: () => readonly PushRecord[];
  /** Cancels attempts in flight. */
  stop: () => Promise<void>;
}

export interface PushLogOptions {
  clock: LabClock;
  counts: (provider: string) => Counts;
  /** True for a push that gets lost in transit. */
  isLost: (provider: string, push: Push, id: number) => boolean;
}

/** Stores the pushes of the lab and retries them when due. */
export function keepPushes({ clock, counts, isLost }: PushLogOptions): PushLog {
  const records: PushRecord[] = [];
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let lastId = 0;

  const attempt = async (record: PushRecord, retry: PushRetry): Promise<void> => {
    if (stopping.signal.aborted) return;
    const at = clock.now();
    counts(record.provider).pushes.sent += 1;
    const { push } = record;
    const headers = { ...push.headers, ...push.sign?.(clock.receiverNow()) };
    const response = await sendOnce({ ...push, headers }, retry.timeoutMs, stopping.signal);
    record.attempts.push({ at, ...response });
    const { status } = response;
    if (status !== null && retry.isSuccess(status)) return end(record, retry, 'succeeded', status);
    const delay = retry.delaysSeconds[record.attempts.length - 1];
    if (delay === undefined || (status !== null && retry.isFinal?.(status)))
      return end(record, retry, 'failed', status);
    clock.at(at + delay * 1000, () => track(attempt(record, retry)));
  };
  const end = (
    record: PushRecord,
    retry: PushRetry,
    outcome: 'succeeded' | 'failed',
    status: number | null,
  ): void => {
    record.outcome = outcome;
    counts(record.provider).pushes[outcome] += 1;
    retry.onEnd?.(outcome, status);
  };
  const track = (work: Promise<void>): Promise<void> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  };

  return {
    send: async (provider, push, retry) => {
      lastId += 1;
      const record: PushRecord = { id: lastId, provider, push, attempts: [], outcome: 'pending' };
      records.push(record);
      if (records.length > MAX_RECORDS) records.shift();
      if (isLost(provider, push, lastId)) {
        record.outcome = 'lost';
        counts(provider).pushes.lost += 1;
        return;
      }
      await track(attempt(record, retry));
    },
    idle,
    list: () => records,
    stop: async () => {
      stopping.abort();
      await idle();
    },
  };
}
