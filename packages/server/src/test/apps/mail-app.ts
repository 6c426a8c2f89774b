import { freePort, startMailCatcher, type CaughtMail, type MailCatcherOptions } from '@tributary/stack';
import { asTenant, type Tenant } from '../../store/database/tenant.ts';
import { plantInvitation, plantMail, type PlantedInvitation } from '../data/plant-invitation.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** The service with its own mail server. */
export interface MailApp extends AsyncDisposable {
  app: TestApp;
  tenant: Tenant;
  /** Sent emails, oldest first. */
  caught: CaughtMail[];
  /** Log lines of the service. */
  lines: string[];
  /** The mail server's reply; it accepts everything by default. */
  reply: NonNullable<MailCatcherOptions['beforeReply']>;
  /** Stops the mail server and starts it again at the same address. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  invite(person?: {
    name?: string;
    kind?: 'existing';
  }): Promise<{ mailId: string; invitation: PlantedInvitation }>;
  findMail(mailId: string): Promise<{ status: string; refusal: string | null }>;
  countOutcome(outcome: string): Promise<number>;
}

/** An account named Demo Health, behind https://health.example.com. */
export async function startMailApp(): Promise<MailApp> {
  await using resources = new AsyncDisposableStack();
  const ports = { smtpPort: await freePort(), httpPort: await freePort() };
  const caught: CaughtMail[] = [];
  const lines: string[] = [];
  const startServer = () =>
    startMailCatcher({
      ...ports,
      onMessage: (mail) => void caught.push(mail),
      beforeReply: (mail) => mailApp.reply(mail),
    });
  let server = await startServer();
  resources.defer(() => server[Symbol.asyncDispose]());
  const app = resources.use(
    await startTestApp(
      {
        LOG_LEVEL: 'info',
        PUBLIC_URL: 'https://health.example.com',
        SMTP_URL: server.smtpUrl,
        MAIL_FROM: 'Tributary <post@mail.example.com>',
      },
      (line) => void lines.push(line),
    ),
  );
  await app.admin.query(
    `UPDATE accounts SET organization_name = 'Demo Health', contact_email = 'team@demo.example'`,
  );
  const tenant: Tenant = { accountId: app.account.uuid, environment: 'live' };
  const owned = resources.move();
  const mailApp: MailApp = {
    app,
    tenant,
    caught,
    lines,
    reply: () => {},
    async stopServer() {
      await server[Symbol.asyncDispose]();
    },
    async startServer() {
      server = await startServer();
    },
    async invite(person = {}) {
      const invitation = await plantInvitation(app.admin, tenant, person);
      const mailId = await asTenant(app.ctx.db, tenant, (tx) =>
        plantMail(app.ctx, tx, tenant, { invitation }),
      );
      return { mailId, invitation };
    },
    async findMail(mailId) {
      return (await app.admin.query('SELECT status, refusal FROM mails WHERE id = $1', [mailId])).rows[0];
    },
    async countOutcome(outcome) {
      const { values } = await app.ctx.metrics.mails.get();
      return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return mailApp;
}
