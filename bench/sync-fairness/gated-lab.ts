import { type Lab, type LabProvider, startLab } from '@tributary/lab';
import {
  allProviders,
  type DocumentKey,
  type Frame,
  type Pushes,
  type Visible,
} from '@tributary/lab/testing';
import { shareLives } from './shared-lives.ts';

const dayMs = 86_400_000;
const quarterMs = 900_000;
/** How far back there are workouts and readings to release. Polls read the last two days. */
const workoutDays = 400;
const readingDays = 1.9;

/** A lab that holds back some users' records and releases them one by one. */
export interface GatedLab extends AsyncDisposable {
  lab: Lab;
  /** Hides all of a user's records that were not released. */
  hold: (provider: string, person: string) => void;
  /** Gives a user the simulated data of another. */
  share: (person: string, life: string) => void;
  /** Number of calls for users with shared data. */
  sharedCalls: () => number;
  /** Releases the next record, and pushes it if the provider does. Returns when, or null if no record is left. */
  letGo: (provider: string, person: string) => number | null;
}

/** A user's records at a provider: the released ones, and those still to come. */
interface HeldRecords {
  kind: string;
  seen: Map<string, Visible>;
  next: Iterator<string>;
}

type Listener = Parameters<Pushes['onDocument']>;

interface Opened {
  frame: Frame;
  listeners: Listener[];
}

/** Starts it. It pushes only released records. */
export async function startGatedLab(): Promise<GatedLab> {
  const heldRecords = new Map<string, HeldRecords>();
  const opened = new Map<string, Opened>();
  const lives = new Map<string, string>();
  let sharedCalls = 0;
  const onCall = () => void (sharedCalls += 1);
  const lab = await startLab({
    providers: allProviders.map((provider) =>
      holdBack(shareLives(provider, lives, onCall), heldRecords, opened),
    ),
  });
  return {
    lab,
    hold: (provider, person) => {
      const { frame } = opened.get(provider)!;
      heldRecords.set(`${provider} ${person}`, heldRecordsOf(frame, person));
    },
    share: (person, life) => void lives.set(person, life),
    sharedCalls: () => sharedCalls,
    letGo: (provider, person) => {
      const own = heldRecords.get(`${provider} ${person}`)!;
      const next = own.next.next();
      if (next.done) return null;
      const atMs = Date.now();
      const seen = { revision: 0, createdAt: atMs, updatedAt: atMs };
      own.seen.set(next.value, seen);
      push(opened.get(provider)!, { person, kind: own.kind, key: next.value }, seen);
      return atMs;
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

function holdBack(
  provider: LabProvider,
  heldRecords: ReadonlyMap<string, HeldRecords>,
  opened: Map<string, Opened>,
): LabProvider {
  return {
    ...provider,
    register: (app, frame) => {
      const listeners: Listener[] = [];
      opened.set(provider.id, { frame, listeners });
      provider.register(app, {
        ...frame,
        visible: (document, endedAt) => {
          const own = heldRecords.get(`${provider.id} ${document.person}`);
          if (own?.kind !== document.kind) return frame.visible(document, endedAt);
          return own.seen.get(document.key) ?? null;
        },
        pushes: { ...frame.pushes, onDocument: (...listener) => void listeners.push(listener) },
      });
    },
  };
}

function heldRecordsOf(frame: Frame, person: string): HeldRecords {
  const isSensor = frame.provider === 'dexcom';
  return {
    kind: isSensor ? 'glucose upload' : 'workout',
    seen: new Map(),
    next: isSensor ? readingsOf(frame, person) : workoutsOf(frame, person),
  };
}

/** Workouts, newest first, since a push may refer to any of them. */
function* workoutsOf(frame: Frame, id: string): Generator<string> {
  const person = frame.person(id)!;
  const dates = frame.datesBetween(person, frame.now() - workoutDays * dayMs, frame.now() - dayMs);
  for (const date of dates.toReversed())
    for (const { key } of frame.dayOf(person, date).workouts) yield `${date} ${key}`;
}

/** Readings per quarter of an hour, as a sensor sends them. */
function* readingsOf(frame: Frame, id: string): Generator<string> {
  const person = frame.person(id)!;
  const fromMs = frame.now() - readingDays * dayMs;
  for (const date of frame.datesBetween(person, fromMs, frame.now())) {
    const readings = frame.dayOf(person, date).glucose.filter(({ at }) => at >= fromMs && at < frame.now());
    const starts = new Set(readings.map(({ at }) => Math.floor(at / quarterMs) * quarterMs));
    for (const start of starts) yield `${date} ${start}`;
  }
}

function push({ frame, listeners }: Opened, document: DocumentKey, seen: Visible): void {
  const grant = frame.oauth
    .grants()
    .find(({ personId, revoked }) => personId === document.person && !revoked);
  if (!grant) throw new Error(`${document.person} has not consented`);
  for (const [pushesFor, options] of listeners)
    for (const one of pushesFor(grant, document, seen)) {
      const retry = one.retry ?? options?.retry;
      if (!retry) throw new Error(`${frame.provider} defines no retry schedule`);
      frame.pushes.send(one, retry);
    }
}
