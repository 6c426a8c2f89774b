import { createServer } from 'node:http';
import { once } from 'node:events';
import type { CaughtMail } from './caught-mail.ts';
import { answerReader } from './http.ts';
import { startSmtp, type SmtpOptions } from './smtp.ts';

const mostMails = 500;

export interface MailCatcherOptions extends Partial<Pick<SmtpOptions, 'beforeAnswer'>> {
  smtpPort: number;
  httpPort: number;
  host?: string;
  /** Told of each mail that was taken, at the moment of the answer. */
  onMessage?: (mail: CaughtMail) => void;
}

/** A mail server for people and tests: what is sent to it goes nowhere and can be read. */
export interface MailCatcher extends AsyncDisposable {
  readonly smtpUrl: string;
  /** Where a person reads the mails; `/messages` has them as JSON. */
  readonly url: string;
  /** The last 500, oldest first. */
  readonly messages: readonly CaughtMail[];
}

/** Starts a catcher of mail in this process. */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const { smtpPort, httpPort, host = '127.0.0.1', onMessage, beforeAnswer = () => {} } = options;
  await using cleanup = new AsyncDisposableStack();
  const messages: CaughtMail[] = [];
  cleanup.use(
    await startSmtp({
      host,
      port: smtpPort,
      beforeAnswer,
      onMail(mail) {
        messages.push(mail);
        if (messages.length > mostMails) messages.shift();
        onMessage?.(mail);
      },
    }),
  );
  const server = createServer((request, response) => answerReader(request, response, messages));
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
