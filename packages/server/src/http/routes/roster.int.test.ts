import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { leaveRoster } from '../../services/roster/leave-roster.ts';
import { openMembership } from '../../services/roster/open-membership.ts';
import { testActor } from '../../test/acting.ts';
import {
  sendInvitationReply,
  fromHome,
  invite,
  join,
  linkTokenOf,
  nameOrganization,
  startRosterApp,
} from '../../test/data/roster.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';

const roster = '/v1/team/roster';
const invitations = `${roster}/invitations`;
const missingInvitation = formatId('inv', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e20');
const missingMember = formatId('mem', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e21');
const missingUser = formatId('user', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e22');
const dayMs = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await startRosterApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (path: string, key = app.account.liveKey) => app.request('GET', path, { key });
const remove = (path: string, key = app.account.liveKey) => app.request('DELETE', path, { key });
const patch = (id: string, body: unknown, key = app.account.liveKey) =>
  app.request('PATCH', `${roster}/${id}`, { key, body });
const statusOf = async (invitationId: string) => (await get(`${invitations}/${invitationId}`)).body.status;
const createUser = async (referenceId: string) =>
  (await app.request('POST', '/v1/users', { body: { reference_id: referenceId } })).body.data.id as string;
const readUser = (id: string) => get(`/v1/users/${id}`);

/** All documented roster operations, with an ID that does not exist where they need one. */
const fiveCalls: [method: string, path: string, body: unknown][] = [
  ['POST', invitations, { email: 'invitee@example.com' }],
  ['GET', `${invitations}/${missingInvitation}`, undefined],
  ['DELETE', `${invitations}/${missingInvitation}`, undefined],
  ['PATCH', `${roster}/${missingMember}`, { status: 'archived' }],
  ['DELETE', `${roster}/${missingMember}`, undefined],
];
const lists: typeof fiveCalls = [
  ['GET', invitations, undefined],
  ['GET', roster, undefined],
];

describe('POST invitations 201', () => {
  // @contract roster: `POST /v1/team/roster/invitations` returns 201 with an invitation that is valid for 14 days
  // @contract roster: `GET …/invitations/{id}` returns 200 with the invitation's status
  test('returns an invitation that is valid for 14 days and queues its email', async () => {
    const response = await invite(app, { email: 'Ada@Example.com', name: 'Ada' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      email: 'Ada@Example.com',
      name: 'Ada',
      status: 'pending',
      mail_status: 'waiting',
      member_id: null,
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(response.body.expires_at) - Date.parse(response.body.created_at)).toBe(14 * dayMs);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await get(`${invitations}/${response.body.id}`)).body).toEqual(response.body);
  });

  // @contract roster: `POST /v1/team/roster/invitations` sends the invitation by email
  test('queues the email in the same transaction as the invitation', async () => {
    const { body } = await invite(app);
    const { rows } = await app.admin.query(
      `SELECT m.kind, m.status, j.state FROM mails m JOIN pgboss.job j ON j.name = 'send-mail' AND j.data ->> 'mailId' = m.id::text
       WHERE m.invitation_id = $1`,
      [parseId('inv', body.id)],
    );
    expect(rows).toEqual([{ kind: 'invitation', status: 'waiting', state: 'created' }]);
  });

  test('stores only the hash of the link', async () => {
    const { body } = await invite(app);
    const token = linkTokenOf(app, 'invitation', body.id);
    const { rows } = await app.admin.query(
      `SELECT i::text || m::text || coalesce((SELECT string_agg(j::text, '') FROM pgboss.job j WHERE j.data ->> 'mailId' = m.id::text), '') AS all
       FROM roster_invitations i JOIN mails m ON m.invitation_id = i.id WHERE i.id = $1`,
      [parseId('inv', body.id)],
    );
    expect(rows[0].all).not.toContain(token);
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('ignores unknown fields', async () => {
    expect((await invite(app, { role: 'owner', expires_at: '2030-01-01T00:00:00Z' })).status).toBe(201);
  });

  test('invites an existing user of the organization', async () => {
    const userId = await createUser('own-1');
    expect((await invite(app, { user_id: userId })).status).toBe(201);
  });

  test('invites again after an invitation was declined, revoked or expired', async () => {
    const ways: [string, (id: string) => Promise<unknown>][] = [
      ['declined@example.com', (id) => sendInvitationReply(app, id, 'decline')],
      ['revoked@example.com', (id) => remove(`${invitations}/${id}`)],
    ];
    for (const [email, end] of ways) {
      const first = await invite(app, { email });
      await end(first.body.id);
      expect((await invite(app, { email })).status, email).toBe(201);
    }
  });
});

describe('400', () => {
  test.each([
    [{}, 'email'],
    [{ email: 'unknown' }, 'email'],
    [{ email: 'a@b.example\r\nBcc: x@y.example' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'email'],
    [{ email: 'a@example.com', name: '' }, 'name'],
    [{ email: 'a@example.com', name: 'two\nlines' }, 'name'],
    [{ email: 'a@example.com', name: 'x'.repeat(201) }, 'name'],
    [{ email: 'a@example.com', reference_id: '' }, 'reference_id'],
    [{ email: 'a@example.com', user_id: 7 }, 'user_id'],
  ])('POST invitations %j names %s', async (body, field) => {
    const refused = await app.request('POST', invitations, { body });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(refused.body.details.fields[0].name).toBe(field);
  });

  test('POST invitations with both user_id and reference_id', async () => {
    const refused = await invite(app, { user_id: missingUser, reference_id: 'x' });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test.each([[{}], [{ status: 'removed' }], [{ status: null }], [[]]])('PATCH %j', async (body) => {
    expect(await patch(missingMember, body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test.each([
    ['POST', invitations],
    ['PATCH', `${roster}/${missingMember}`],
  ])('%s %s without a body and with malformed JSON', async (method, path) => {
    expect((await app.request(method, path)).status).toBe(400);
    expect((await app.request(method, path, { rawBody: '{' })).status).toBe(400);
  });

  test.each([
    ['GET', `${invitations}/${missingInvitation}?verbose=1`],
    ['DELETE', `${invitations}/${missingInvitation}?force=1`],
    ['DELETE', `${roster}/${missingMember}?force=1`],
    ['GET', `${invitations}?status=removed`],
    ['GET', `${roster}?limit=0`],
    ['GET', `${roster}?limit=101`],
    ['GET', `${roster}?cursor=invented`],
  ])('%s %s', async (method, path) => {
    expect((await app.request(method, path)).status).toBe(400);
  });
});

describe('401 and 402', () => {
  test.each([...fiveCalls, ...lists])(
    '%s %s without a key and with an invalid one',
    async (method, path, body) => {
      const noKey = await app.request(method, path, { key: '', body });
      expect(noKey).toMatchObject({ status: 401, body: { error: 'missing_token' } });
      const badKey = await app.request(method, path, { key: 'sk_live_nonsense', body });
      expect(badKey).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    },
  );

  // @contract roster: 402 while the account is suspended; deletion works
  test('lets a suspended account revoke and remove but not invite or archive', async () => {
    const account = await app.createAccount();
    await nameOrganization(app, account);
    const key = account.liveKey;
    const pending = await invite(app, {}, account);
    const member = await join(app, {}, account);
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    for (const refused of [
      await invite(app, {}, account),
      await get(`${invitations}/${pending.body.id}`, key),
      await patch(member.memberId, { status: 'archived' }, key),
      await get(invitations, key),
      await get(roster, key),
    ])
      expect(refused).toMatchObject({ status: 402, body: { error: 'payment_required' } });
    expect((await remove(`${invitations}/${pending.body.id}`, key)).status).toBe(204);
    expect((await remove(`${roster}/${member.memberId}`, key)).status).toBe(204);
  });
});

describe('403', () => {
  test.each([
    // @contract roster: Inviting, updating and deleting members requires a live key: 403 otherwise
    ['POST', invitations, { email: 'x@example.com' }],
    ['PATCH', `${roster}/${missingMember}`, { status: 'archived' }],
    ['DELETE', `${roster}/${missingMember}`, undefined],
    ['PATCH', `${roster}/${missingMember}`, { nonsense: true }],
  ])('%s %s %j rejects a sandbox key, whatever the request', async (method, path, body) => {
    const refused = await app.request(method, path, { key: app.account.sandboxKey, body });
    expect(refused).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(refused.body.message).toContain('live key');
  });

  // @contract roster: The other operations accept a sandbox key
  test('accepts a sandbox key for the other operations, without access to the live roster', async () => {
    const key = app.account.sandboxKey;
    const { body } = await invite(app);
    const member = await join(app);
    for (const [method, path] of [
      ['GET', `${invitations}/${body.id}`],
      ['DELETE', `${invitations}/${body.id}`],
    ] as const)
      expect((await app.request(method, path, { key })).status).toBe(404);
    expect((await get(invitations, key)).body).toEqual({ data: [], next_cursor: null });
    expect((await get(roster, key)).body).toEqual({ data: [], next_cursor: null });
    expect(await statusOf(body.id)).toBe('pending');
    expect((await readUser(member.userId)).status).toBe(200);
  });

  test.each([...fiveCalls, ...lists])('%s %s rejects a user token', async (method, path, body) => {
    const userId = await createUser(`token-${method}-${path}`);
    const { body: token } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } });
    const refused = await app.request(method, path, { key: token.token, body });
    expect(refused).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
  });
});

describe('404', () => {
  test.each([
    ['GET', `${invitations}/${missingInvitation}`, undefined],
    ['GET', `${invitations}/nonsense`, undefined],
    ['GET', `${invitations}/${missingMember}`, undefined],
    ['DELETE', `${invitations}/${missingInvitation}`, undefined],
    ['DELETE', `${invitations}/nonsense`, undefined],
    ['PATCH', `${roster}/${missingMember}`, { status: 'active' }],
    ['PATCH', `${roster}/nonsense`, { status: 'active' }],
    ['DELETE', `${roster}/${missingMember}`, undefined],
    ['DELETE', `${roster}/nonsense`, undefined],
    ['POST', invitations, { email: 'x@example.com', user_id: missingUser }],
    // @contract roster: 404 for an unknown `user_id`
    ['POST', invitations, { email: 'x@example.com', user_id: 'nonsense' }],
  ])('%s %s %j', async (method, path, body) => {
    expect(await app.request(method, path, { body })).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });

  test('treats invitations, members and users of another account as missing', async () => {
    const other = await app.createAccount();
    await nameOrganization(app, other);
    const theirs = await join(app, {}, other);
    for (const response of [
      await get(`${invitations}/${theirs.invitationId}`),
      await remove(`${invitations}/${theirs.invitationId}`),
      await patch(theirs.memberId, { status: 'archived' }),
      await remove(`${roster}/${theirs.memberId}`),
      await invite(app, { user_id: theirs.userId }),
    ])
      expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('treats a sandbox user and a user being deleted as missing', async () => {
    const sandbox = await app.request('POST', '/v1/users', {
      key: app.account.sandboxKey,
      body: { reference_id: 'sand', sandbox: { archetype: 'none' } },
    });
    const deleted = await createUser('deleted');
    await remove(`/v1/users/${deleted}`);
    for (const userId of [sandbox.body.data.id, deleted])
      expect((await invite(app, { user_id: userId })).status).toBe(404);
  });
});

describe('409', () => {
  // @contract roster: 409 `already_invited`
  test('already_invited: the same address in any letter case, or the same user', async () => {
    const userId = await createUser('twice');
    await invite(app, { email: 'Twice@example.com', user_id: userId });
    for (const body of [
      { email: 'twice@EXAMPLE.com' },
      { email: 'other-address@example.com', user_id: userId },
    ])
      expect(await invite(app, body)).toMatchObject({ status: 409, body: { error: 'already_invited' } });
  });

  // @contract roster: 409 `already_member`
  test('already_member: the same address or user, including archived members', async () => {
    const member = await join(app, { email: 'member@example.com' });
    await patch(member.memberId, { status: 'archived' });
    for (const body of [
      { email: 'MEMBER@example.com' },
      { email: 'again@example.com', user_id: member.userId },
    ])
      expect(await invite(app, body)).toMatchObject({ status: 409, body: { error: 'already_member' } });
  });

  test('reference_id_taken', async () => {
    await createUser('taken');
    expect(await invite(app, { reference_id: 'taken' })).toMatchObject({
      status: 409,
      body: { error: 'reference_id_taken' },
    });
  });

  test.each([...fiveCalls, ...lists])(
    'roster_not_configured without a name: %s %s',
    async (method, path, body) => {
      const account = await app.createAccount();
      const refused = await app.request(method, path, { key: account.liveKey, body });
      expect(refused).toMatchObject({
        status: 409,
        body: { error: 'roster_not_configured', details: { missing: ['organization_name'] } },
      });
    },
  );

  // @contract roster: 409 `roster_not_configured` on every call
  test('roster_not_configured without a sender, and without both', async () => {
    await using bare = await startTestApp();
    for (const [method, path, body] of [...fiveCalls, ...lists])
      expect((await bare.request(method, path, { body })).body).toMatchObject({
        error: 'roster_not_configured',
        details: { missing: ['organization_name', 'mail_sender'] },
      });
    await nameOrganization(bare, bare.account);
    expect((await bare.request('GET', roster)).body.details.missing).toEqual(['mail_sender']);
  });
});

describe('invitation states', () => {
  // @contract roster: `GET …/invitations/{id}` returns 200 with the invitation's status
  test('pending → accepted: creates a member and a new user', async () => {
    const { body } = await invite(app, { email: 'new@example.com', name: 'New', reference_id: 'new-person' });
    const result = await sendInvitationReply(app, body.id);
    expect(result).toMatchObject({ outcome: 'accepted', view: { status: 'accepted' } });
    const now = (await get(`${invitations}/${body.id}`)).body;
    expect(now).toMatchObject({ status: 'accepted', member_id: expect.stringMatching(/^mem_/) });
    const [member] = (await get(roster)).body.data;
    expect(member).toEqual({
      id: now.member_id,
      user_id: expect.stringMatching(/^user_/),
      name: 'New',
      email: 'new@example.com',
      status: 'active',
      joined_at: expect.stringMatching(/Z$/),
      archived_at: null,
    });
    expect((await readUser(member.user_id)).body.data).toMatchObject({
      reference_id: 'new-person',
      status: 'active',
    });
  });

  test('uses the invitation ID as the user’s reference when it has none', async () => {
    const member = await join(app);
    expect((await readUser(member.userId)).body.data.reference_id).toBe(member.invitationId);
  });

  test('creates no second user when an existing user accepts', async () => {
    const userId = await createUser('own-2');
    const before = (await get('/v1/users?page=1')).body.meta.total;
    const member = await join(app, { user_id: userId });
    expect(member.userId).toBe(userId);
    expect((await get('/v1/users?page=1')).body.meta.total).toBe(before);
  });

  test('pending → declined: changes nothing else', async () => {
    const { body } = await invite(app, { reference_id: 'declining' });
    expect(await sendInvitationReply(app, body.id, 'decline')).toMatchObject({ outcome: 'declined' });
    expect(await statusOf(body.id)).toBe('declined');
    expect((await get('/v1/users?reference_id=declining')).body.data).toEqual([]);
  });

  // @contract roster: `DELETE …/invitations/{id}` changes a pending invitation to revoked and returns 204
  test('pending → revoked by DELETE', async () => {
    const { body } = await invite(app);
    expect((await remove(`${invitations}/${body.id}`)).status).toBe(204);
    expect(await statusOf(body.id)).toBe('revoked');
    expect(await sendInvitationReply(app, body.id)).toMatchObject({
      outcome: 'ended',
      view: { status: 'revoked' },
    });
  });

  // @contract roster: `DELETE …/invitations/{id}` returns 204 when the invitation is already inactive
  test('keeps an inactive invitation unchanged: DELETE returns 204, replies are too late', async () => {
    const ended: Record<string, string> = {};
    const accepted = await join(app);
    ended['accepted'] = accepted.invitationId;
    for (const status of ['declined', 'revoked']) ended[status] = (await invite(app)).body.id;
    await sendInvitationReply(app, ended['declined']!, 'decline');
    await remove(`${invitations}/${ended['revoked']}`);
    for (const [status, id] of Object.entries(ended)) {
      expect((await remove(`${invitations}/${id}`)).status).toBe(204);
      for (const choice of ['accept', 'decline'] as const)
        expect(await sendInvitationReply(app, id, choice)).toMatchObject({
          outcome: 'ended',
          view: { status },
        });
      expect(await statusOf(id)).toBe(status);
    }
    expect((await readUser(accepted.userId)).status).toBe(200);
  });

  // @contract roster: An invitation is valid for 14 days
  test('pending → expired after 14 days, to the second; another invitation can follow', async () => {
    await using own = await startRosterApp();
    const { body } = await invite(own, { email: 'late@example.com' });
    const path = `${invitations}/${body.id}`;
    await own.moveClock(14 * dayMs - 60_000);
    expect((await own.request('GET', path)).body.status).toBe('pending');
    await own.moveClock(14 * dayMs + 1_000);
    expect((await own.request('GET', path)).body.status).toBe('expired');
    expect((await own.request('GET', `${invitations}?status=expired`)).body.data).toHaveLength(1);
    expect((await own.request('GET', `${invitations}?status=pending`)).body.data).toEqual([]);
    expect(await sendInvitationReply(own, body.id)).toMatchObject({
      outcome: 'ended',
      view: { status: 'expired' },
    });
    expect((await own.request('DELETE', path)).status).toBe(204);
    expect((await own.request('GET', path)).body.status).toBe('expired');
    expect((await invite(own, { email: 'late@example.com' })).status).toBe(201);
    expect((await own.request('GET', path)).body.status).toBe('expired');
  });

  test('revokes a user’s invitation when the user is deleted', async () => {
    const userId = await createUser('own-3');
    const { body } = await invite(app, { user_id: userId });
    await remove(`/v1/users/${userId}`);
    expect(await statusOf(body.id)).toBe('revoked');
    expect(await sendInvitationReply(app, body.id)).toMatchObject({ outcome: 'ended' });
  });

  test('keeps the invitation unchanged when the organization cannot accept the member', async () => {
    const account = await app.createAccount();
    await nameOrganization(app, account);
    const { body } = await invite(app, { reference_id: 'wanted' }, account);
    await updateAccount(app.ctx, testActor, account.uuid, { userLimit: 0 });
    expect(await sendInvitationReply(app, body.id)).toMatchObject({
      outcome: 'unavailable',
      view: { status: 'pending' },
    });
    await updateAccount(app.ctx, testActor, account.uuid, { userLimit: null, status: 'suspended' });
    expect(await sendInvitationReply(app, body.id)).toMatchObject({ outcome: 'unavailable' });
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'active' });
    app.ctx.credentials.clear();
    const rival = await app.request('POST', '/v1/users', {
      key: account.liveKey,
      body: { reference_id: 'wanted' },
    });
    expect(await sendInvitationReply(app, body.id)).toMatchObject({ outcome: 'unavailable' });
    await remove(`/v1/users/${rival.body.data.id}`, account.liveKey);
    expect(await sendInvitationReply(app, body.id)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('member states', () => {
  // @contract roster: `PATCH /v1/team/roster/{id}` archives and reactivates, and returns 200 with the updated member
  test('active → archived → active: stays readable, and repetition changes nothing', async () => {
    const member = await join(app);
    const archived = await patch(member.memberId, { status: 'archived' });
    expect(archived).toMatchObject({
      status: 200,
      body: { status: 'archived', archived_at: expect.any(String) },
    });
    expect((await patch(member.memberId, { status: 'archived' })).body).toEqual(archived.body);
    expect((await readUser(member.userId)).status).toBe(200);
    const active = await patch(member.memberId, { status: 'active' });
    expect(active).toMatchObject({ status: 200, body: { status: 'active', archived_at: null } });
    expect((await patch(member.memberId, { status: 'active' })).body).toEqual(active.body);
    expect((await readUser(member.userId)).status).toBe(200);
  });

  // @contract roster: `DELETE /v1/team/roster/{id}` sets any member to removed and returns 204, also when repeated
  test.each(['active', 'archived'])(
    '%s → removed: the organization can no longer see the user',
    async (status) => {
      const member = await join(app);
      if (status === 'archived') await patch(member.memberId, { status });
      const before = (await get('/v1/users?page=1')).body.meta.total;
      expect((await remove(`${roster}/${member.memberId}`)).status).toBe(204);
      expect((await readUser(member.userId)).status).toBe(404);
      expect((await get(`/v1/users/${member.userId}/daily`)).status).toBe(404);
      expect((await get('/v1/users?page=1')).body.meta.total).toBe(before - 1);
      expect((await remove(`${roster}/${member.memberId}`)).status).toBe(204);
      expect((await patch(member.memberId, { status: 'active' })).status).toBe(404);
      const { data } = (await get(`${roster}?limit=100`)).body;
      expect(data.map(({ id }: { id: string }) => id)).not.toContain(member.memberId);
      expect((await get(`${invitations}/${member.invitationId}`)).body).toMatchObject({ status: 'accepted' });
    },
  );

  // @contract roster: A new invitation can restore a removed member
  test('restores a removed member’s user with the same ID and reference when the person accepts again', async () => {
    const member = await join(app, { email: 'back@example.com', reference_id: 'back' });
    const before = (await get('/v1/users?page=1')).body.meta.total;
    await remove(`${roster}/${member.memberId}`);
    const again = await join(app, { email: 'BACK@example.com' });
    expect(again.userId).toBe(member.userId);
    expect(again.memberId).not.toBe(member.memberId);
    expect((await readUser(member.userId)).body.data.reference_id).toBe('back');
    expect((await get('/v1/users?page=1')).body.meta.total).toBe(before);
    expect((await remove(`${roster}/${member.memberId}`)).status).toBe(204); // an earlier member, removed long ago
    expect((await readUser(member.userId)).status).toBe(200);
  });

  test('restores a user under another reference when its own is taken', async () => {
    const member = await join(app, { email: 'displaced@example.com', reference_id: 'displaced' });
    await remove(`${roster}/${member.memberId}`);
    await createUser('displaced');
    const again = await join(app, { email: 'displaced@example.com' });
    expect(again.userId).toBe(member.userId);
    expect((await readUser(again.userId)).body.data.reference_id).toBe(again.invitationId);
  });

  test('lets a person accept again, under another reference, after a concurrent conflict', async () => {
    const member = await join(app, { email: 'raced@example.com', reference_id: 'raced' });
    await remove(`${roster}/${member.memberId}`);
    const { body: invitation } = await invite(app, { email: 'raced@example.com' });
    await using rival = await holdTransaction(app.admin);
    await rival.query(
      `INSERT INTO users (id, account_id, environment, reference_id) VALUES (gen_random_uuid(), $1, 'live', 'raced')`,
      [app.account.uuid],
    );
    const pendingResult = sendInvitationReply(app, invitation.id);
    const isWaiting = async () =>
      (
        await app.admin.query(
          `SELECT FROM pg_stat_activity WHERE wait_event = 'transactionid' AND datname = current_database()`,
        )
      ).rowCount;
    await expect.poll(isWaiting).toBe(1);
    await rival.commit();
    expect(await pendingResult).toMatchObject({ outcome: 'unavailable', view: { status: 'pending' } });
    expect(await sendInvitationReply(app, invitation.id)).toMatchObject({ outcome: 'accepted' });
    expect((await readUser(member.userId)).body.data.reference_id).toBe(invitation.id);
  });

  // @contract roster: A user that the organization created remains its own
  test('keeps a user that the organization created', async () => {
    const userId = await createUser('own-4');
    const member = await join(app, { user_id: userId, email: 'own-4@example.com' });
    expect((await remove(`${roster}/${member.memberId}`)).status).toBe(204);
    expect((await readUser(userId)).status).toBe(200);
    const { rows } = await app.admin.query('SELECT email, name FROM roster_members WHERE id = $1', [
      parseId('mem', member.memberId),
    ]);
    expect(rows).toEqual([{ email: null, name: null }]);
  });

  test('ends phone sessions on removal', async () => {
    const member = await join(app);
    const bootstrap = await app.request('POST', `/v1/users/${member.userId}/sdk-sessions`, {
      headers: { 'idempotency-key': '0195570b-8a3c-4c1e-b1f0-5d2f6a7c9e30' },
      body: {},
    });
    const { body: credentials } = await app.request('POST', '/v1/sdk/sessions/exchange', {
      key: '',
      body: { client_token: bootstrap.body.client_token },
    });
    await remove(`${roster}/${member.memberId}`);
    const upload = await app.request('POST', '/v1/sdk/batches', {
      key: credentials.access_token,
      body: {
        batch_id: '0195570b-8a3c-4c1e-b1f0-5d2f6a7c9e31',
        device: { provider: 'apple_health', id: 'w', kind: 'watch' },
      },
    });
    expect(upload.status).toBe(401);
  });

  test('ends the membership when the user is deleted', async () => {
    const member = await join(app);
    expect((await remove(`/v1/users/${member.userId}`)).status).toBe(202);
    expect((await patch(member.memberId, { status: 'archived' })).status).toBe(404);
    expect((await remove(`${roster}/${member.memberId}`)).status).toBe(204);
  });
});

describe('the member leaves', () => {
  const leave = (memberId: string, erase: boolean) =>
    leaveRoster(app.ctx, linkTokenOf(app, 'membership', memberId), { erase }, fromHome);

  test('and is no longer visible; repetition changes nothing', async () => {
    const member = await join(app);
    for (let times = 0; times < 2; times += 1)
      expect(await leave(member.memberId, false)).toMatchObject({
        view: { status: 'removed', own: true, erased: false },
      });
    expect((await readUser(member.userId)).status).toBe(404);
    expect((await patch(member.memberId, { status: 'active' })).status).toBe(404);
  });

  test('and erases all data, also after having been removed', async () => {
    for (const removedBefore of [false, true]) {
      const member = await join(app);
      if (removedBefore) await remove(`${roster}/${member.memberId}`);
      expect(await leave(member.memberId, true)).toMatchObject({ view: { status: 'removed', erased: true } });
      const { rows } = await app.admin.query(
        'SELECT user_id FROM erasures WHERE user_id = $1 AND finished_at IS NULL',
        [parseId('user', member.userId)],
      );
      expect(rows).toHaveLength(1);
      expect((await invite(app, { email: member.email })).status).toBe(201);
    }
  });

  test('and cannot erase the organization’s own data', async () => {
    const userId = await createUser('own-5');
    const member = await join(app, { user_id: userId });
    expect(await leave(member.memberId, true)).toMatchObject({ view: { own: false, erased: false } });
    expect((await readUser(userId)).status).toBe(200);
  });

  test('and cannot erase data shared through a newer link with an old link', async () => {
    const member = await join(app, { email: 'old-link@example.com' });
    await remove(`${roster}/${member.memberId}`);
    await join(app, { email: 'old-link@example.com' });
    expect(await leave(member.memberId, true)).toMatchObject({ view: { status: 'removed', erased: false } });
    expect((await readUser(member.userId)).status).toBe(200);
  });

  test('and an unknown link opens nothing', async () => {
    expect(await leave(missingMember, true)).toBeNull();
    expect(await openMembership(app.ctx, linkTokenOf(app, 'membership', missingMember))).toBeNull();
  });
});

describe('lists', () => {
  // @contract roster: Invitations and members can be listed _(addition)_
  test('page newest first, without gaps or repetition during inserts', async () => {
    const account = await app.createAccount();
    await nameOrganization(app, account);
    const key = account.liveKey;
    const invitationIds: string[] = [];
    for (let count = 0; count < 5; count += 1)
      invitationIds.unshift((await invite(app, {}, account)).body.id);
    const seen: string[] = [];
    let page = (await get(`${invitations}?limit=2`, key)).body;
    for (;;) {
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      if (page.next_cursor === null) break;
      await invite(app, {}, account);
      page = (await get(`${invitations}?cursor=${page.next_cursor}`, key)).body;
    }
    expect(seen).toEqual(invitationIds);
  });

  // @contract roster: Invitations and members can be listed _(addition)_
  test('filter by status', async () => {
    const account = await app.createAccount();
    await nameOrganization(app, account);
    const [one, two] = [await join(app, {}, account), await join(app, {}, account)];
    await patch(one.memberId, { status: 'archived' }, account.liveKey);
    const idsOf = async (status: string) =>
      (await get(`${roster}?status=${status}`, account.liveKey)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsOf('archived')).toEqual([one.memberId]);
    expect(await idsOf('active')).toEqual([two.memberId]);
  });

  test('bind a cursor to its list, status and limit', async () => {
    const { next_cursor: cursor } = (await get(`${invitations}?limit=1&status=pending`)).body;
    expect(cursor).toEqual(expect.any(String));
    for (const path of [
      `${roster}?cursor=${cursor}`,
      `${invitations}?cursor=${cursor}&status=accepted`,
      `${invitations}?cursor=${cursor}&limit=2`,
    ])
      expect(await get(path)).toMatchObject({ status: 400, body: { error: 'invalid_cursor' } });
    expect((await get(`${invitations}?cursor=${cursor}&limit=1&status=pending`)).status).toBe(200);
    const start = await get(`${invitations}?limit=1&status=pending&cursor=`);
    expect(start.body).toEqual((await get(`${invitations}?limit=1&status=pending`)).body);
  });
});
