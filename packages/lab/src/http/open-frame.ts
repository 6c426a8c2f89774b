import type { FastifyInstance } from 'fastify';
import { appAt, type RegisteredApp } from '../apps.ts';
import type { LabClock } from '../world/clock.ts';
import { countOne, type Counts } from '../world/counts.ts';
import type { Faults } from '../world/faults.ts';
import { chanceOf, digitsOf } from '../world/hash.ts';
import { keepLimits, nameOfRule } from '../world/limits.ts';
import { openOAuth } from '../oauth/oauth.ts';
import type { Day } from '../world/people/day.ts';
import { datesBetween } from '../world/people/local-time.ts';
import type { Person } from '../world/people/person.ts';
import type { Frame, LabProvider } from '../provider.ts';
import { DEFAULT_RETRY, type PushLog } from '../world/pushes.ts';
import { deriveVisibility, type Visibility } from '../world/visibility.ts';
import { watchDocuments } from '../world/watch-documents.ts';

/** The parts that all providers of a lab share. */
export interface LabParts {
  url: string;
  seed: number;
  clock: LabClock;
  faults: Faults;
  log: PushLog;
  people: readonly Person[];
  findPerson: (id: string) => Person | undefined;
  findApp: (clientId: string) => RegisteredApp | undefined;
  dayOf: (person: Person, date: string) => Day;
}

export interface OpenedFrame {
  frame: Frame;
  visibility: Visibility;
}

/** Builds the frame that one provider runs in. */
export function openFrame(
  app: FastifyInstance,
  provider: LabProvider,
  parts: LabParts,
  counts: Counts,
): OpenedFrame {
  const { clock, faults, seed, log } = parts;
  const { id } = provider;
  const visibility = deriveVisibility(seed, id, faults);
  const oauth = openOAuth(app, {
    ...parts,
    provider: id,
    providerName: provider.name,
    now: clock.now,
    counts,
    userIdOf: (person) => {
      const digits = digitsOf(11, seed, 'user id', id, person.id);
      return provider.userId?.(person, digits) ?? digits;
    },
    sendPush: (push) => void log.send(id, push, push.retry ?? DEFAULT_RETRY),
  });
  let calls = 0;
  const limits = keepLimits({
    now: clock.now,
    isStruck: (userId) => {
      const person = oauth.grants().find((grant) => grant.userId === userId)?.personId ?? '';
      calls += 1;
      const struck = faults.strike('limited', id, person, calls) !== null;
      if (struck) countOne(counts.faults, 'limited');
      return struck;
    },
    onExceeded: (rule) => countOne(counts.exceeded, nameOfRule(rule)),
  });
  const base = {
    provider: id,
    baseUrl: `${parts.url}/${id}`,
    now: clock.now,
    person: parts.findPerson,
    dayOf: parts.dayOf,
    datesBetween,
  };
  const frame: Frame = {
    ...base,
    app: (clientId) => {
      const registeredApp = parts.findApp(clientId);
      return registeredApp && appAt(registeredApp, id);
    },
    oauth,
    visible: (document, endedAt) => visibility.seenAt(clock.now(), document, endedAt),
    chance: (...words) => chanceOf(seed, id, ...words),
    limits,
    pushes: {
      send: (push, retry) => void log.send(id, push, retry),
      onDocument: watchDocuments({ frame: base, clock, faults, visibility, log, grants: oauth.grants }),
    },
  };
  return { frame, visibility };
}
