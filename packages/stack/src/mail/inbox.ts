import { createServer } from 'node:http';
import { once } from 'node:events';
import type { CaughtMail } from './caught-mail.ts';
import { serveMail } from './http.ts';
import { startSmtp, type SmtpOptions } from './smtp.ts';

const mostMails = 500;

export interface MailCatcherOptions extends Partial<Pick<SmtpOptions, 'beforeReply'>> {
  smtpPort: number;
  httpPort: number;
  host?: string;
  /** Called for each accepted mail, before the reply is sent. */
  onMessage?: (mail: CaughtMail) => void;
}

/** A mail server for development and tests. It stores mail for reading and delivers nothing. */
export interface MailCatcher extends AsyncDisposable {
  readonly smtpUrl: string;
  /** Where people read the mail. `/messages` returns it as JSON. */
  readonly url: string;
  /** The last 500, oldest first. */
  readonly messages: readonly CaughtMail[];
}

/** Starts a local inbox in this process. */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const { smtpPort, httpPort, host = '127.0.0.1', onMessage, beforeReply = () => {} } = options;
  await using cleanup = new AsyncDisposableStack();
  const messages: CaughtMail[] = [];
  cleanup.use(
    await startSmtp({
      host,
      port: smtpPort,
      beforeReply,
      onMail(mail) {
        messages.push(mail);
        if (messages.length > mostMails) messages.shift();
        onMessage?.(mail);
      },
    }),
  );
  const server = createServer((request, response) => serveMail(request, response, messages));
  server.listen(httpPort, host);
  await once(server, 'listening');
  cleanup.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  const owned = cleanup.move();
  return {
    smtpUrl: `smtp://${host}:${smtpPort}`,
    url: `http://${host}:${httpPort}`,
    messages,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
