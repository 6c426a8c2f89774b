import { afterAll, beforeAll, expect, test } from 'vitest';
import { testActor } from '../../test/acting.ts';
import { sendInvitationReply, fromHome, linkTokenOf, startRosterApp } from '../../test/data/roster.ts';
import type { TestApp } from '../../test/apps/test-app.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { invitePerson } from './invite-person.ts';
import { leaveRoster } from './leave-roster.ts';
import { removeMember } from './remove-member.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { updateMember } from './update-member.ts';
import { formatId } from '../../ids.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startRosterApp({ DATABASE_POOL_SIZE: '40' });
});
afterAll(() => app[Symbol.asyncDispose]());

const email = 'contested@example.com';

interface Row {
  id: string;
  status: string;
  memberId: string | null;
  userId: string;
}

async function rowsOf(table: 'roster_invitations' | 'roster_members'): Promise<Row[]> {
  const member = table === 'roster_invitations' ? 'member_id' : 'NULL::uuid';
  const { rows } = await app.admin.query(
    `SELECT id, status, ${member} AS "memberId", user_id AS "userId" FROM ${table} WHERE lower(email) = $1 ORDER BY id`,
    [email],
  );
  return rows;
}

/** Returns the actions in the audit log for each invitation and member, in order. */
async function storyOf(): Promise<Map<string, string[]>> {
  const { rows } = await app.admin.query<{ target_id: string; action: string }>(
    `SELECT target_id, action FROM audit_intake WHERE target_type IN ('roster_invitation', 'roster_member', 'user')
     ORDER BY xid, id`,
  );
  const story = new Map<string, string[]>();
  for (const { target_id: id, action } of rows)
    story.set(id, [...(story.get(id) ?? []), action.split('.')[1]!]);
  return story;
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

test('500 concurrent calls about one person end in one valid state that the audit log reproduces', async () => {
  const acting: Acting = { accountId: app.account.uuid, environment: 'live', actor: testActor };
  const known = { invitations: new Set<string>(), members: new Set<string>() };
  const outcomes: Record<string, number> = {};
  const count = (name: string) => (outcomes[name] = (outcomes[name] ?? 0) + 1);
  const pick = (ids: Set<string>) => [...ids].at(-1 - Math.floor(Math.random() * Math.min(2, ids.size)));

  const steps: [name: string, weight: number, step: () => Promise<unknown>][] = [
    [
      'invite',
      150,
      async () => {
        const input = {
          email: Math.random() < 0.5 ? email : email.toUpperCase(),
          name: null,
          userId: null,
          referenceId: null,
        };
        known.invitations.add((await invitePerson(app.ctx, acting, input)).id);
      },
    ],
    [
      'accept',
      150,
      async () => {
        const id = pick(known.invitations);
        if (id === undefined) return;
        const reply = await sendInvitationReply(app, formatId('inv', id), 'accept');
        const { rows } = await app.admin.query('SELECT member_id FROM roster_invitations WHERE id = $1', [
          id,
        ]);
        if (rows[0].member_id) known.members.add(rows[0].member_id);
        count(`accept: ${reply.outcome}`);
      },
    ],
    [
      'decline',
      30,
      async () =>
        pick(known.invitations) &&
        sendInvitationReply(app, formatId('inv', pick(known.invitations)!), 'decline'),
    ],
    [
      'revoke',
      60,
      async () => pick(known.invitations) && revokeInvitation(app.ctx, acting, pick(known.invitations)!),
    ],
    ['remove', 60, async () => pick(known.members) && removeMember(app.ctx, acting, pick(known.members)!)],
    [
      'archive',
      30,
      async () => pick(known.members) && updateMember(app.ctx, acting, pick(known.members)!, 'archived'),
    ],
    [
      'leave',
      20,
      async () =>
        pick(known.members) &&
        leaveRoster(
          app.ctx,
          linkTokenOf(app, 'membership', formatId('mem', pick(known.members)!)),
          { erase: false },
          fromHome,
        ),
    ],
  ];
  const attempt = async (name: string, step: () => Promise<unknown>) => {
    const refusals = ['already_invited', 'already_member', 'not_found'];
    await step().then(
      () => count(name),
      (error: Error & { code?: string }) => {
        // On a busy machine a call may not get a connection in time, and then it has changed nothing.
        if (error.message.startsWith('timeout exceeded when trying to connect')) return;
        expect(refusals, `${name}: ${error.message}`).toContain(error.code);
        count(`${name}: ${error.code}`);
      },
    );
  };
  // Runs a few calls sequentially to create state to contend for, then all of them concurrently.
  for (const part of [0.1, 1]) {
    const calls = shuffled(
      steps.flatMap(([name, weight, step]) =>
        Array.from({ length: weight * part }, () => () => attempt(name, step)),
      ),
    );
    expect(calls).toHaveLength(500 * part);
    if (part === 1) await Promise.all(calls.map((call) => call()));
    else for (const call of calls) await call();
  }
  expect(outcomes['accept: accepted']).toBeGreaterThan(0);
  expect(outcomes['invite: already_member'] ?? 0).toBeGreaterThan(0);

  const [invitations, members] = [await rowsOf('roster_invitations'), await rowsOf('roster_members')];
  const pending = invitations.filter(({ status }) => status === 'pending');
  const present = members.filter(({ status }) => status !== 'removed');
  expect(pending.length + present.length).toBeLessThanOrEqual(1); // pending or a member, never both, never twice
  expect(new Set(members.map(({ userId }) => userId)).size).toBe(1); // the same user throughout
  const { rows: users } = await app.admin.query('SELECT status FROM users WHERE id = ANY ($1)', [
    invitations.map(({ userId }) => userId),
  ]);
  expect(users).toEqual([{ status: present.length === 1 ? 'active' : 'withdrawn' }]);
  const { rows: counted } = await app.admin.query(
    `SELECT coalesce(sum(active), 0)::int AS n FROM user_counts WHERE account_id = $1 AND environment = 'live'`,
    [app.account.uuid],
  );
  expect(counted[0].n).toBe(present.length);
  expect(invitations.filter(({ status }) => status === 'accepted')).toHaveLength(members.length);

  // The audit log matches the rows: it has entries for each row, and the last entry matches the row's status.
  const story = await storyOf();
  for (const { id, status } of invitations) {
    const actions = story.get(formatId('inv', id))!;
    expect(actions).toEqual(status === 'pending' ? ['created'] : ['created', status]);
  }
  const lastOf: Record<string, string[]> = {
    active: ['joined', 'reactivated'],
    archived: ['archived'],
    removed: ['removed', 'left'],
  };
  for (const { id, status } of members) {
    const actions = story.get(formatId('mem', id))!;
    expect(actions[0]).toBe('joined');
    expect(lastOf[status]).toContain(actions.at(-1));
    expect(actions.filter((action) => action === 'removed' || action === 'left').length).toBe(
      status === 'removed' ? 1 : 0,
    );
  }
  const [userId] = members.map((member) => member.userId);
  const comings = story.get(formatId('user', userId!))!;
  comings.forEach((action, at) =>
    expect(action).toBe(at === 0 ? 'created' : at % 2 === 1 ? 'withdrawn' : 'returned'),
  );
  expect(comings).toHaveLength(members.length * 2 - present.length);
  expect([...story.keys()].filter((id) => id.startsWith('inv_'))).toHaveLength(invitations.length);
  expect([...story.keys()].filter((id) => id.startsWith('mem_'))).toHaveLength(members.length);
});

test('one of 100 concurrent replies to the same link takes effect', async () => {
  const acting: Acting = { accountId: app.account.uuid, environment: 'live', actor: testActor };
  const { id } = await invitePerson(app.ctx, acting, {
    email: 'once@example.com',
    name: null,
    userId: null,
    referenceId: null,
  });
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      sendInvitationReply(app, formatId('inv', id), at % 3 === 0 ? 'decline' : 'accept'),
    ),
  );
  expect(replies.filter(({ outcome }) => outcome !== 'ended')).toHaveLength(1);
});
