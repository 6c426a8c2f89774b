import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { MailAddress } from './mail-address.ts';
import type { MailContent } from './mail-content.ts';
import { judgeFailure, MailDelayed } from './mail-error.ts';
import { plainLine } from './plain-line.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';
import { parseSmtpUrl, tlsDemand } from './smtp-url.ts';

/** Sends a connection carries before it is replaced, and connections at once: mail servers limit both. */
const mailsPerConnection = 100;
const mostConnections = 4;

export interface OutgoingMail {
  /** The same at every try, so that who gets a mail twice can tell. */
  messageId: string;
  to: MailAddress;
  /** Shown as the sender; the address is always that of MAIL_FROM. */
  fromName: string | null;
  replyTo: string | null;
  content: MailContent;
}

/** The way out for mail. */
export interface Mailer extends AsyncDisposable {
  /** Sends a mail, once. Throws MailRefused when it can never be sent, and MailDelayed when it may go another time. */
  send(mail: OutgoingMail): Promise<void>;
}

/** Connects to the configured mail server when there is something to send; null when none is configured. */
export function createMailer({ mail, secrets }: Pick<Config, 'mail' | 'secrets'>): Mailer | null {
  const server = secrets.smtpUrl === undefined ? null : parseSmtpUrl(secrets.smtpUrl);
  if (mail === null || server === null) return null;
  const demand = tlsDemand(server, mail.tls);
  const transport = createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    secure: server.secure,
    ...(server.auth && { auth: server.auth }),
    requireTLS: demand === 'required',
    ignoreTLS: demand === 'none',
    maxConnections: mostConnections,
    maxMessages: mailsPerConnection,
    // A mail whose connection broke may have arrived: whether it goes out again is for the job to say.
    maxRequeues: 0,
    // Before the server closes it, which would look like a failure.
    idleTimeout: 5_000,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Failures of a connection come with the mail that it carried.
  transport.on('error', () => {});
  let disposed = false;
  return {
    async send({ messageId, to, fromName, replyTo, content }) {
      if (disposed) throw new MailDelayed('This process is about to end.');
      const name = plainLine(fromName ?? mail.from.name ?? '');
      try {
        await transport.sendMail({
          messageId: `<${messageId}>`,
          from: { name, address: mail.from.address },
          to: { name: plainLine(to.name ?? ''), address: to.address },
          ...(replyTo && { replyTo: { name, address: replyTo } }),
          subject: plainLine(content.subject),
          text: renderText(content),
          html: renderHtml(content),
          textEncoding: 'quoted-printable',
          // Nobody's absence note shall answer.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          xMailer: false,
        });
      } catch (error) {
        throw judgeFailure(error);
      }
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      transport.close();
    },
  };
}
