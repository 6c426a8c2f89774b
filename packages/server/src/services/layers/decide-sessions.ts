import { createHash } from 'node:crypto';
import type { Queryable } from '../../store/database.ts';
import { readAnsweredDays, replaceCanonicalSessions } from '../../store/canonical-sessions.ts';
import { readAllSessions, readSessionsBetween, type SessionRow } from '../../store/device-sessions.ts';
import { closureOf } from './session-closure.ts';
import type { DayValues, LiveSession, SessionDecisions } from './session-rules.ts';
import type { UserState } from './user-state.ts';

/** What sessions of one kind now give to one day. */
export interface SessionEffect {
  state: UserState;
  day: number;
  /** For each device whose sessions were looked at. */
  byDevice: Map<number, DayValues>;
  metrics: readonly number[];
  /** Answers that follow from the sessions that were kept. */
  answers: DayValues;
  answered: readonly number[];
}

const windowMs = 8 * 86_400_000;

/** Decides again between all sessions of the user. */
export async function decideAll<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  touched: readonly { startMs: number; endMs: number }[] = [],
  changed: readonly SessionRow<Content>[] = [],
): Promise<SessionEffect[]> {
  const { userId, timezone } = state.user;
  const rows = await readAllSessions<Content>(tx, rules.kind, userId);
  const days = new Set(await readAnsweredDays(tx, rules.kind, userId));
  for (const span of touched) days.add(rules.dayOf(span, timezone));
  return replaceAnswers(tx, state, rules, liveSessions(state, rules, rows), changed, days);
}

/** Decides again between all sessions that the touched ones can have a part in, and replaces the answers for them. */
export async function decideAround<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  touched: readonly { startMs: number; endMs: number }[],
  changed: readonly { deviceNo: number; sourceId: string }[],
): Promise<SessionEffect[]> {
  const { userId, timezone } = state.user;
  const dated = touched.map((span) => ({ ...span, day: rules.dayOf(span, timezone) }));
  let fromMs = Math.min(...touched.map(({ startMs }) => startMs)) - windowMs;
  let toMs = Math.max(...touched.map(({ endMs }) => endMs)) + windowMs;
  let closed: LiveSession<Content>[] | null = null;
  while (!closed) {
    const rows = await readSessionsBetween<Content>(tx, rules.kind, userId, fromMs, toMs);
    closed = closureOf(dated, liveSessions(state, rules, rows), { fromMs, toMs });
    fromMs -= windowMs;
    toMs += windowMs;
  }
  return replaceAnswers(tx, state, rules, closed, changed, new Set(dated.map(({ day }) => day)));
}

/** Replaces the answers for these sessions, which must be all that have to do with one another. */
async function replaceAnswers<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  sessions: readonly LiveSession<Content>[],
  changed: readonly { deviceNo: number; sourceId: string }[],
  days: ReadonlySet<number>,
): Promise<SessionEffect[]> {
  const { userId, timezone, settings } = state.user;
  const decided = rules.decide(sessions, settings);
  const stoodFor = [
    ...changed,
    ...sessions.map(({ device, sourceId }) => ({ deviceNo: device.deviceNo, sourceId })),
  ];
  const answers = decided.map((session) => ({ ...session, id: sessionId(state, rules.kind, session) }));
  const different = await replaceCanonicalSessions(tx, rules.kind, userId, stoodFor, answers);
  const allDays = new Set([...days, ...sessions.map(({ day }) => day)]);
  if (different) state.noteChange([...allDays]);
  return [...allDays].map((day) => {
    const ofDay = sessions.filter((session) => session.day === day);
    const devices = new Set([
      ...changed.map(({ deviceNo }) => deviceNo),
      ...ofDay.map(({ device }) => device.deviceNo),
    ]);
    const byDevice = new Map(
      [...devices].map((deviceNo) => [
        deviceNo,
        rules.valuesOf(ofDay.filter(({ device }) => device.deviceNo === deviceNo)),
      ]),
    );
    const answered = rules.answersOf(
      decided.filter((session) => session.day === day),
      day,
      timezone,
    );
    return { state, day, byDevice, metrics: rules.metrics, answers: answered, answered: rules.answered };
  });
}

/** Sessions that were not deleted, of devices that are still there, with the day that each counts for. */
function liveSessions<Content>(
  state: UserState,
  rules: SessionDecisions<Content>,
  rows: readonly SessionRow<Content>[],
): LiveSession<Content>[] {
  return rows.flatMap(({ deviceNo, sourceId, span, content }) => {
    const device = state.devices.find((known) => known.deviceNo === deviceNo && known.removedMs === null);
    if (!span || !content || !device) return [];
    return [{ device, sourceId, ...span, day: rules.dayOf(span, state.user.timezone), content }];
  });
}

/** The id of an answer follows from whose session it is, so that working everything out again gives the same ids. */
function sessionId(state: UserState, kind: string, session: { deviceNo: number; sourceId: string }): string {
  const device = state.devices.find(({ deviceNo }) => deviceNo === session.deviceNo)!;
  const hash = createHash('sha256')
    .update(`${state.user.userId}\n${kind}\n${device.id}\n${session.sourceId}`)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80; // a UUID of version 8: made by a rule of our own
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
