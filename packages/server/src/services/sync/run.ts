import {
  ProviderFailure,
  type FailureKind,
  type Provider,
  type Stream,
  type UserApi,
} from '@tributary/providers';
import type { Context } from '../../context.ts';
import { countConnected } from '../../store/connections.ts';
import type { RunningConnection } from '../../store/due-connections.ts';
import { openTokenSource } from '../connections/token-source.ts';
import { openUserApi, type ProviderAccess } from '../providers/open-api.ts';
import type { Lane } from '../providers/limit-steps.ts';

export type SyncContext = Pick<
  Context,
  'operator' | 'outbound' | 'clock' | 'keyring' | 'config' | 'log' | 'metrics' | 'newId' | 'announce'
>;

/** One look at what a provider has of a person: its way there, and what came of it so far. */
export interface Run {
  connection: RunningConnection;
  provider: Provider;
  access: ProviderAccess;
  api: UserApi;
  /** How many have connected the provider and share its limits. */
  people: number;
  startedMs: number;
  calls: number;
  documents: number;
  news: number;
  /** Streams that were read, and those that this consent does not open. */
  read: number;
  forbidden: number;
  /** Streams that a poll has looked at, and parts of streams as `stream@part`, from where one that was cut off goes on. */
  polled: string[];
  /** What went wrong first and is worst; null while nothing did. */
  failure: ProviderFailure | null;
}

/** Thrown when the connection belongs to somebody else by now: another run, or nobody. */
export class RunOver extends Error {
  override name = 'RunOver';
}

/** Worst first: what stands before another hides it. */
const severity: readonly FailureKind[] = [
  'consent_ended',
  'unauthorized',
  'limited',
  'unavailable',
  'refused',
  'forbidden',
  'gone',
];
/** What a limit takes to recover where nobody says it. */
const unknownPauseMs = 60_000;
/** Over how long those spread who wait for a limit: those who got nothing from it, and those who did. */
const crowdMs = 30_000;
const afterWorkMs = 5_000;
/** After these there is no point in asking on. */
const final: ReadonlySet<FailureKind> = new Set(['consent_ended', 'unauthorized', 'limited']);

export async function openRun(
  ctx: SyncContext,
  connection: RunningConnection,
  access: ProviderAccess,
  { lane, signal, onGiveUp }: { lane: Lane; signal: AbortSignal; onGiveUp?: () => void },
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
    polled: [...connection.pollStreams],
    failure: null,
    api: openUserApi(ctx, {
      ...access,
      db: ctx.operator,
      externalId: connection.externalId,
      tokens: openTokenSource(ctx, access, connection, signal),
      lane,
      people,
      onCall: () => (run.calls += 1),
      ...(onGiveUp && { onGiveUp }),
      signal,
    }),
  };
  return run;
}

/**
 * How long a run rests that found the limits used up. Many may wait for the same calls: who came in vain comes back at a moment of its own, or
 * all would knock again together, second by second.
 */
export function pauseWhenLimited({ failure, calls }: Run, nowMs: number): number {
  const untilMs = failure?.retryAtMs ?? nowMs + unknownPauseMs;
  return Math.max(1_000, untilMs - nowMs) + Math.random() * (calls === 0 ? crowdMs : afterWorkMs);
}

/** Whether the person's consent opens a stream, as far as the provider said. */
export function isGranted(run: Run, { scopes }: Stream): boolean {
  const granted = run.api.scopes;
  return !scopes || granted === null || scopes.some((scope) => granted.includes(scope));
}

/** Does a part of a run; what a provider refuses is noted. False when the whole run had better end. */
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
        'a provider refused what was asked',
      );
    const wasBroken = run.failure?.kind === 'unavailable' && error.kind === 'unavailable';
    if (!run.failure || severity.indexOf(error.kind) < severity.indexOf(run.failure.kind))
      run.failure = error;
    return !final.has(error.kind) && !wasBroken;
  }
}
