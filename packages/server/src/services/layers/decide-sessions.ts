import { createHash } from 'node:crypto';
import { dayMs } from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import {
  readCanonicalSessionDays,
  replaceCanonicalSessions,
  type CanonicalSession,
} from '../../store/layers/canonical-sessions.ts';
import {
  readAllSessions,
  readSessionsBetween,
  type SessionKind,
  type SessionRow,
} from '../../store/layers/device-sessions.ts';
import { closureOf, type DatedSpan } from './session-closure.ts';
import type { DayValues, LiveSession, SessionDecisions } from './session-rules.ts';
import { dayOfSessions } from './session-days.ts';
import type { DayOfSessions, UserState } from './user-state.ts';

/** The effect of the sessions of one kind on one day. */
export interface SessionEffect {
  state: UserState;
  kind: SessionKind;
  day: number;
  /** The values per device whose sessions were considered. */
  byDevice: Map<number, DayValues>;
  /** What the shown sessions say about the day. */
  ofShown: DayOfSessions;
  rules: Pick<SessionDecisions<never>, 'metrics' | 'canonicalMetrics'>;
}

const windowMs = 8 * dayMs;

/** Recomputes all shown sessions of the user. */
export async function decideAll<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  touched: readonly { startMs: number; endMs: number }[] = [],
  changed: readonly SessionRow<Content>[] = [],
): Promise<SessionEffect[]> {
  const { userId, timezones } = state.user;
  const rows = await readAllSessions<Content>(tx, rules.kind, userId);
  const days = new Set(await readCanonicalSessionDays(tx, rules.kind, userId));
  for (const span of touched) days.add(rules.dayOf(span, timezones));
  return replaceShownSessions(tx, state, rules, liveSessions(state, rules, rows), changed, days);
}

/** Recomputes all sessions that the touched ones can affect, and replaces them in the canonical layer. */
export async function decideAround<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  touched: readonly { startMs: number; endMs: number }[],
  changed: readonly { deviceNo: number; sourceId: string }[],
): Promise<SessionEffect[]> {
  const dated = touched.map((span) => ({ ...span, day: rules.dayOf(span, state.user.timezones) }));
  const closed = await readSessionsAround(tx, state, rules, dated);
  return replaceShownSessions(tx, state, rules, closed, changed, new Set(dated.map(({ day }) => day)));
}

/** Reads all sessions that relate to these spans and days, or to one another. */
export async function readSessionsAround<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  touched: readonly DatedSpan[],
): Promise<LiveSession<Content>[]> {
  let fromMs = Math.min(...touched.map(({ startMs }) => startMs)) - windowMs;
  let toMs = Math.max(...touched.map(({ endMs }) => endMs)) + windowMs;
  for (;;) {
    await state.pace.pause();
    const rows = await readSessionsBetween<Content>(tx, rules.kind, state.user.userId, fromMs, toMs);
    const closed = closureOf(touched, liveSessions(state, rules, rows), { fromMs, toMs });
    if (closed) return closed;
    // Doubles the range, because a chain of overlapping sessions can be of any length.
    const growthMs = (toMs - fromMs) / 2;
    fromMs -= growthMs;
    toMs += growthMs;
  }
}

/** Replaces the canonical sessions for a closed set of related sessions. */
async function replaceShownSessions<Content>(
  tx: Queryable,
  state: UserState,
  rules: SessionDecisions<Content>,
  sessions: readonly LiveSession<Content>[],
  changed: readonly { deviceNo: number; sourceId: string }[],
  days: ReadonlySet<number>,
): Promise<SessionEffect[]> {
  const { canonicalSessions, effects } = decideSessions(state, rules, sessions, changed, days);
  const stoodFor = [
    ...changed,
    ...sessions.map(({ device, sourceId }) => ({ deviceNo: device.deviceNo, sourceId })),
  ];
  const different = await replaceCanonicalSessions(
    tx,
    rules.kind,
    state.user.userId,
    stoodFor,
    canonicalSessions,
  );
  state.noteChange(different.days);
  for (const day of different.days) {
    state.scores.days.add(day);
    state.scores.prompt = true;
    if (rules.kind === 'sleep') state.scores.nights.add(day);
  }
  state.mergedSessionsChanged ||= different.mergedFromChanged;
  return effects;
}

/** Computes the canonical sessions of a closed set of related sessions, and their effects. Writes nothing. */
export function decideSessions<Content>(
  state: UserState,
  rules: SessionDecisions<Content>,
  sessions: readonly LiveSession<Content>[],
  changed: readonly { deviceNo: number; sourceId: string }[],
  days: Iterable<number>,
): { canonicalSessions: CanonicalSession[]; effects: SessionEffect[] } {
  const { timezones, settings } = state.user;
  const decidedSessions = rules
    .decide(sessions, settings, timezones)
    .map((session) => ({ ...session, id: sessionId(state, rules.kind, session) }));
  const sessionsByDay = Map.groupBy(sessions, ({ day }) => day);
  const canonicalSessionsByDay = Map.groupBy(decidedSessions, ({ day }) => day);
  const effects = [...new Set([...days, ...sessionsByDay.keys()])].map((day) => {
    const ofDay = sessionsByDay.get(day) ?? [];
    const devices = new Set([
      ...changed.map(({ deviceNo }) => deviceNo),
      ...ofDay.map(({ device }) => device.deviceNo),
    ]);
    const byDevice = new Map(
      [...devices].map((deviceNo) => [
        deviceNo,
        rules.valuesOf(
          ofDay.filter(({ device }) => device.deviceNo === deviceNo),
          timezones,
        ),
      ]),
    );
    const ofShown = dayOfSessions(state, rules.kind, day, canonicalSessionsByDay.get(day) ?? []);
    return { state, kind: rules.kind, day, byDevice, ofShown, rules };
  });
  return { canonicalSessions: decidedSessions, effects };
}

/** Sessions that are not deleted, of remaining devices, each with the day it belongs to. */
function liveSessions<Content>(
  state: UserState,
  rules: SessionDecisions<Content>,
  rows: readonly SessionRow<Content>[],
): LiveSession<Content>[] {
  return rows.flatMap(({ deviceNo, sourceId, span, content }) => {
    const device = state.devices.find((known) => known.deviceNo === deviceNo && known.removedMs === null);
    if (!span || !content || !device) return [];
    return [{ device, sourceId, ...span, day: rules.dayOf(span, state.user.timezones), content }];
  });
}

/** The ID of a canonical session is derived from its device and source ID, so that a rebuild keeps the IDs. */
function sessionId(state: UserState, kind: string, session: { deviceNo: number; sourceId: string }): string {
  const device = state.devices.find(({ deviceNo }) => deviceNo === session.deviceNo)!;
  const hash = createHash('sha256')
    .update(`${state.user.userId}\n${kind}\n${device.id}\n${session.sourceId}`)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80; // UUID version 8: a custom format
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
