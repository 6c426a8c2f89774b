import { freePort, startMailCatcher, type MailCatcher } from '@tributary/stack';
import { deriveLinkToken, linkPath, type LinkKind } from '../../credentials/link-token.ts';
import { parseId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { sendMail } from '../../services/mails/send-mail.ts';
import { testActor } from '../acting.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export interface PagesApp extends TestApp {
  mail: MailCatcher;
  /** Sets the organization's name and contact address, on every node. */
  nameOrganization(organizationName: string, contactEmail?: string | null): Promise<void>;
  /** Invites a person through the API and returns the invitation's ID and the path of its link. */
  invite(person?: { email?: string; name?: string; user_id?: string }): Promise<{ id: string; path: string }>;
  /** Sends pending emails through SMTP and returns the path of the link in the last email to this address. */
  mailedLink(email: string): Promise<string>;
  /** Submits a form as a browser does. */
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): ReturnType<TestApp['request']>;
}

let people = 0;

/** A service whose organization can invite people, with a mail server that stores emails. */
export async function startPagesApp(
  overrides: Record<string, string> = {},
  onLogLine?: (line: string) => void,
): Promise<PagesApp> {
  await using resources = new AsyncDisposableStack();
  const [smtpPort, httpPort] = [await freePort(), await freePort()];
  const mail = resources.use(await startMailCatcher({ smtpPort, httpPort }));
  const settings = { SMTP_URL: mail.smtpUrl, MAIL_FROM: 'invitations@tributary.example', ...overrides };
  const app = resources.use(await startTestApp(settings, onLogLine));
  const { ctx, account } = app;

  async function nameOrganization(organizationName: string, contactEmail: string | null = null) {
    await updateAccount(ctx, testActor, account.uuid, { organizationName, contactEmail });
    ctx.credentials.clear();
  }
  await nameOrganization('Demo Health', 'care@demo-health.example');
  const owned = resources.move();

  return {
    ...app,
    mail,
    nameOrganization,
    async invite(person = {}) {
      const email = person.email ?? `person-${(people += 1)}@example.com`;
      const { status, body } = await app.request('POST', '/v1/team/roster/invitations', {
        body: { ...person, email },
      });
      if (status !== 201) throw new Error(`could not invite: ${status} ${JSON.stringify(body)}`);
      return { id: body.id as string, path: pathOf(ctx, 'invitation', parseId('inv', body.id)!) };
    },
    async mailedLink(email) {
      const { rows } = await app.admin.query(`SELECT id FROM mails WHERE status = 'waiting' ORDER BY id`);
      for (const { id } of rows) await sendMail(ctx, id as string);
      const last = mail.messages.findLast(({ recipients }) => recipients.includes(email));
      const [, path] = /(\/(?:invitations|memberships)\/\w+)/.exec(last?.text ?? '') ?? [];
      if (path === undefined) throw new Error(`no link was mailed to ${email}`);
      return path;
    },
    post: (path, fields, headers = {}) =>
      app.request('POST', path, {
        key: '',
        rawBody: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function pathOf(ctx: TestApp['ctx'], kind: LinkKind, id: string): string {
  const keyVersion = ctx.keyring.newestVersion;
  return linkPath(kind, deriveLinkToken(ctx.keyring, kind, { id, keyVersion }));
}
