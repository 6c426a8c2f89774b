import type { PgBoss } from 'pg-boss';

/**
 * An email to a dashboard user: a link, a notice that someone guesses their password, or a password reset for an address that may belong to none.
 * The hash represents the address, because rows of jobs outlive their work.
 */
export type OperatorMail = { linkId: string } | { lockedOperatorId: string } | { resetEmailHash: string };

/** The data of jobs that follow a change. Only ids: the row of a job outlives its work by some hours. */
export interface JobData {
  'erase-user': { userId: string };
  'remove-device': { userId: string; deviceId: string };
  'recut-user': { userId: string };
  'reconsolidate-user': { userId: string };
  'rescore-user': { userId: string };
  'send-mail': { mailId: string };
  'send-operator-mail': OperatorMail;
}

export type JobName = keyof JobData;

type QueueOptions = Required<
  Pick<
    NonNullable<Parameters<PgBoss['createQueue']>[1]>,
    | 'policy'
    | 'retryLimit'
    | 'retryDelay'
    | 'retryBackoff'
    | 'heartbeatSeconds'
    | 'expireInSeconds'
    | 'retentionSeconds'
    | 'deleteAfterSeconds'
  >
>;

const hour = 3_600;
const day = 24 * hour;

/**
 * Work that follows a change. One job waits and one runs per key, so changes made during a run lead to one more run. Jobs are never given up. The job
 * of a dead worker is taken over immediately; the worker sets the backoff of a failed one.
 */
const changeQueue: QueueOptions = {
  policy: 'stately',
  retryLimit: 1_000_000,
  retryDelay: 0,
  retryBackoff: false,
  heartbeatSeconds: 10,
  expireInSeconds: hour,
  retentionSeconds: 400 * day,
  // Rows of jobs name users, even erased ones, so they are deleted after hours.
  deleteAfterSeconds: 6 * hour,
};

/** How long a job waits for more changes to join it, counted from the first. People who try out settings change several in a row. */
export const gatherSeconds: Readonly<Partial<Record<JobName, number>>> = { 'reconsolidate-user': 1.2 };

/** Scheduled work, which recurs. */
const scheduled: QueueOptions = {
  ...changeQueue,
  policy: 'standard',
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  retentionSeconds: day,
};

export const schedules = {
  sweepCredentials: 'sweep-credentials',
  pruneRaw: 'prune-raw',
  pruneDeliveries: 'prune-deliveries',
  maintainAccessRecords: 'maintain-access-records',
  resumeRemovals: 'resume-removals',
} as const;

/** Every queue. Migrations create them, so that a running node needs no privilege to change tables. */
export const queues: Record<JobName | (typeof schedules)[keyof typeof schedules], QueueOptions> = {
  'erase-user': changeQueue,
  'remove-device': changeQueue,
  'recut-user': changeQueue,
  'reconsolidate-user': changeQueue,
  'rescore-user': changeQueue,
  'send-mail': changeQueue,
  'send-operator-mail': changeQueue,
  'sweep-credentials': scheduled,
  'prune-raw': scheduled,
  'prune-deliveries': scheduled,
  'maintain-access-records': scheduled,
  'resume-removals': scheduled,
};
