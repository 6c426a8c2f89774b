import { deriveLinkToken, type LinkKind } from '../../credentials/link-token.ts';
import { parseId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { replyToInvitation, type InvitationReply } from '../../services/roster/reply-to-invitation.ts';
import { testActor } from '../acting.ts';
import {
  startTestApp,
  type ArrangeDatabase,
  type TestAccount,
  type TestApp,
  type TestResponse,
} from '../apps/test-app.ts';

/** The origin of replies to invitations in tests. */
export const fromHome = { address: '192.0.2.7', requestId: 'req_from_home' };

let people = 0;

/** A service whose first account may invite people. Its emails stay queued. */
export async function startRosterApp(
  overrides: Record<string, string> = {},
  arrange?: ArrangeDatabase,
): Promise<TestApp> {
  const settings = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'invitations@tributary.example' };
  const app = await startTestApp({ ...settings, ...overrides }, undefined, arrange);
  await nameOrganization(app, app.account);
  return app;
}

/** Sets the organization's name. */
export async function nameOrganization(app: TestApp, account: TestAccount): Promise<void> {
  await updateAccount(app.ctx, testActor, account.uuid, { organizationName: 'Demo Health' });
  app.ctx.credentials.clear();
}

/** Invites a person, at a generated address unless one is given. */
export function invite(
  app: TestApp,
  body: Record<string, unknown> = {},
  account: TestAccount = app.account,
): Promise<TestResponse> {
  return app.request('POST', '/v1/team/roster/invitations', {
    key: account.liveKey,
    body: { email: `person-${(people += 1)}@example.com`, ...body },
  });
}

/** The secret in the link of an invitation or a membership. */
export function linkTokenOf(app: TestApp, kind: LinkKind, id: string): string {
  const uuid = parseId(kind === 'invitation' ? 'inv' : 'mem', id)!;
  return deriveLinkToken(app.ctx.keyring, kind, { id: uuid, keyVersion: app.ctx.keyring.newestVersion });
}

/** Replies to an invitation as the person would. */
export async function sendInvitationReply(
  app: TestApp,
  invitationId: string,
  decision: 'accept' | 'decline' = 'accept',
): Promise<InvitationReply> {
  const link = linkTokenOf(app, 'invitation', invitationId);
  const reply = await replyToInvitation(app.ctx, link, decision, fromHome);
  if (!reply) throw new Error(`the link of ${invitationId} is not valid`);
  return reply;
}

/** Invites a person and accepts. */
export async function join(
  app: TestApp,
  body: Record<string, unknown> = {},
  account: TestAccount = app.account,
): Promise<{ invitationId: string; memberId: string; userId: string; email: string }> {
  const invited = await invite(app, body, account);
  if (invited.status !== 201) throw new Error(`could not invite: ${JSON.stringify(invited.body)}`);
  const invitationId = invited.body.id as string;
  const reply = await sendInvitationReply(app, invitationId);
  if (reply.outcome !== 'accepted') throw new Error(`could not join: ${reply.outcome}`);
  const { body: roster } = await app.request('GET', '/v1/team/roster', { key: account.liveKey });
  const [{ id, user_id: userId, email }] = roster.data;
  return { invitationId, memberId: id, userId, email };
}
