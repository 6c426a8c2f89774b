import { minuteMs } from '@tributary/domain';
import {
  ProviderFailure,
  type FailureKind,
  type Provider,
  type Stream,
  type UserApi,
} from '@tributary/providers';
import type { Context } from '../../context.ts';
import { scopesOf } from '../../scope-bits.ts';
import { countConnected } from '../../store/connections/connections.ts';
import type { RunningConnection } from '../../store/connections/due.ts';
import type { PollProgress } from '../../store/connections/poll-progress.ts';
import { openTokenSource } from '../connections/token-source.ts';
import { openUserApi, type ProviderAccess } from '../providers/open-api.ts';
import type { CallPriority } from '../providers/limit-steps.ts';

export type SyncContext = Pick<
  Context,
  | 'operator'
  | 'outbound'
  | 'clock'
  | 'keyring'
  | 'config'
  | 'log'
  | 'metrics'
  | 'newId'
  | 'announce'
  | 'rawPayloads'
>;

/** One sync run of a connection: its API access and its results so far. */
export interface Run {
  connection: RunningConnection;
  provider: Provider;
  access: ProviderAccess;
  api: UserApi;
  /** The number of users connected to the provider, who share its limits. */
  people: number;
  startedMs: number;
  calls: number;
  documents: number;
  news: number;
  /** The numbers of streams that were read, and of streams that the consent does not cover. */
  read: number;
  forbidden: number;
  /** What the poll has read so far. An interrupted poll resumes from it. */
  progress: PollProgress;
  /** The worst failure so far, or null. */
  failure: ProviderFailure | null;
}

/** Thrown if the run no longer owns the connection, because another run took over or the connection ended. */
export class RunOver extends Error {
  override name = 'RunOver';
}

/** Worst first. A failure hides those after it. */
const severity: readonly FailureKind[] = [
  'consent_ended',
  'unauthorized',
  'limited',
  'unavailable',
  'refused',
  'forbidden',
  'gone',
];
/** How long to wait for a limit if the provider does not say. */
const unknownPauseMs = minuteMs;
/** Jitter for runs that wait for a limit: those that made no call, and those that did. */
const crowdMs = 30_000;
const afterWorkMs = 5_000;
/** Failures after which further calls are pointless. */
const final: ReadonlySet<FailureKind> = new Set(['consent_ended', 'unauthorized', 'limited']);

export async function openRun(
  ctx: SyncContext,
  connection: RunningConnection,
  access: ProviderAccess,
  {
    priority: callPriority,
    signal,
    onGiveUp,
  }: { priority: CallPriority; signal: AbortSignal; onGiveUp?: () => void },
): Promise<Run> {
  const { provider, environment } = access;
  const people = await countConnected(ctx.operator, { environment, provider: provider.id });
  const run: Run = {
    connection,
    provider,
    access,
    people,
    startedMs: ctx.clock.now(),
    calls: 0,
    documents: 0,
    news: 0,
    read: 0,
    forbidden: 0,
    progress: connection.pollProgress,
    failure: null,
    api: openUserApi(ctx, {
      ...access,
      db: ctx.operator,
      externalId: connection.externalId,
      tokens: openTokenSource(ctx, access, connection, signal),
      priority: callPriority,
      people,
      onCall: () => (run.calls += 1),
      ...(onGiveUp && { onGiveUp }),
      signal,
    }),
  };
  return run;
}

/**
 * How long a run waits after it exhausted the limits. Many runs may wait for the same calls, so each returns at its own random time instead of all
 * retrying together.
 */
export function pauseWhenLimited({ failure, calls }: Run, nowMs: number): number {
  const untilMs = failure?.retryAtMs ?? nowMs + unknownPauseMs;
  return Math.max(1_000, untilMs - nowMs) + Math.random() * (calls === 0 ? crowdMs : afterWorkMs);
}

/** Returns whether the user's consent covers a stream: what they share with us, and the provider's scopes as far as it reported them. */
export function isGranted(run: Run, stream: Stream): boolean {
  const granted = run.api.scopes;
  const isAllowed =
    !stream.scopes || granted === null || stream.scopes.some((scope) => granted.includes(scope));
  return isAllowed && isShared(run.connection, stream);
}

/** Returns whether the user shares the category of a stream. Only opt-in categories have to be turned on. */
export function isShared({ scopes }: { scopes: number }, { optIn }: Stream): boolean {
  return optIn === undefined || scopesOf(scopes).includes(optIn);
}

/** Runs a part of a run and records provider failures. Returns false if the whole run should end. */
export async function attempt(
  ctx: SyncContext,
  run: Run,
  stream: string,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    run.read += 1;
    return true;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.kind === 'forbidden') run.forbidden += 1;
    else if (error.kind === 'refused')
      ctx.log.warn(
        { provider: run.provider.id, stream, reason: error.message },
        'a provider rejected a request',
      );
    const wasBroken = run.failure?.kind === 'unavailable' && error.kind === 'unavailable';
    if (!run.failure || severity.indexOf(error.kind) < severity.indexOf(run.failure.kind))
      run.failure = error;
    return !final.has(error.kind) && !wasBroken;
  }
}
