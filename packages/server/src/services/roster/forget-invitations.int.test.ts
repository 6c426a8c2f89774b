import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseId } from '../../ids.ts';
import { sendInvitationReply, invite, join, startRosterApp } from '../../test/data/roster.ts';
import type { TestApp } from '../../test/apps/test-app.ts';
import { forgetInvitations } from './forget-invitations.ts';

const dayMs = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await startRosterApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const path = (id: string) => `/v1/team/roster/invitations/${id}`;

/** Reads the status from the table, because the API key has expired by the moved clock. */
async function statusOf(id: string): Promise<string> {
  const { rows } = await app.admin.query('SELECT status FROM roster_invitations WHERE id = $1', [
    parseId('inv', id),
  ]);
  return rows[0]?.status ?? 'gone';
}

test('deletes people who did not accept 90 days after their invitation ended, and no others', async () => {
  const [declined, revoked, expired] = [
    (await invite(app)).body,
    (await invite(app)).body,
    (await invite(app)).body,
  ];
  await sendInvitationReply(app, declined.id, 'decline');
  await app.request('DELETE', path(revoked.id));
  const member = await join(app);
  const own = await app.request('POST', '/v1/users', { body: { reference_id: 'own' } });
  const ofOwn = (await invite(app, { user_id: own.body.data.id })).body;
  await sendInvitationReply(app, ofOwn.id, 'decline');
  const all = [declined, revoked, expired, ofOwn, { id: member.invitationId }];
  const states = () => Promise.all(all.map(({ id }) => statusOf(id)));
  const texts = async () => {
    const { rows } = await app.admin.query(
      `SELECT text ->> 'email' AS email FROM audit_texts WHERE text ->> 'email' IS NOT NULL`,
    );
    return rows.map((row) => row.email).toSorted();
  };
  const before = await texts();
  expect(before).toEqual([declined, revoked, expired, ofOwn, member].map(({ email }) => email).toSorted());

  await app.moveClock(89 * dayMs);
  expect(await forgetInvitations(app.ctx)).toBe(0);
  await app.moveClock(91 * dayMs); // the unanswered invitation expired 14 days after the others
  expect(await forgetInvitations(app.ctx)).toBe(3);
  expect(await states()).toEqual(['gone', 'gone', 'pending', 'gone', 'accepted']);
  expect(await texts()).toEqual([expired, ofOwn, member].map(({ email }) => email).toSorted());
  await app.moveClock(105 * dayMs);
  expect(await forgetInvitations(app.ctx)).toBe(1);
  expect(await forgetInvitations(app.ctx)).toBe(0);
  // Audit text about a user the organization still has is deleted with the user.
  expect(await texts()).toEqual([ofOwn, member].map(({ email }) => email).toSorted());

  const { rows } = await app.admin.query(
    `SELECT c.target_id AS "created", f.actor_id AS "by" FROM audit_intake c JOIN audit_intake f ON f.action = 'person.forgotten'
       AND f.target_id = c.data ->> 'user' WHERE c.action = 'roster_invitation.created'`,
  );
  expect(rows.map(({ created }) => created).toSorted()).toEqual(
    [declined.id, revoked.id, expired.id].toSorted(),
  );
  expect(rows.every(({ by }) => by === 'forget-invitations')).toBe(true);
});
