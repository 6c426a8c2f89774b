import type { PgBoss } from 'pg-boss';
import type { OperatorMail } from '../services/operators/operator-mail.ts';

/** What the jobs that follow a change are about. Ids alone: the row of a job outlives its work by some hours. */
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
 * Work that follows a change: one job waits and one runs for each key, so that changes made during a run lead to one more run. It is never
 * given up. A worker that is gone has its job taken over at once; how long one waits that failed is up to `workOn`.
 */
const following: QueueOptions = {
  policy: 'stately',
  retryLimit: 1_000_000,
  retryDelay: 0,
  retryBackoff: false,
  heartbeatSeconds: 10,
  expireInSeconds: hour,
  retentionSeconds: 400 * day,
  // Rows of jobs name users, also erased ones: they go after hours.
  deleteAfterSeconds: 6 * hour,
};

/** How long a job waits for more changes to join it, counted from the first: people who try settings out change several in a row. */
export const gatherSeconds: Readonly<Partial<Record<JobName, number>>> = { 'reconsolidate-user': 1.2 };

/** Work by the clock, which comes again by itself. */
const scheduled: QueueOptions = {
  ...following,
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
  resumeRemovals: 'resume-removals',
} as const;

/** Every queue; made by migration, so that a running node needs no right to change tables. */
export const queues: Record<JobName | (typeof schedules)[keyof typeof schedules], QueueOptions> = {
  'erase-user': following,
  'remove-device': following,
  'recut-user': following,
  'reconsolidate-user': following,
  'rescore-user': following,
  'send-mail': following,
  'send-operator-mail': following,
  'sweep-credentials': scheduled,
  'prune-raw': scheduled,
  'prune-deliveries': scheduled,
  'resume-removals': scheduled,
};
