import { minuteMs } from '@tributary/domain';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { MailAddress } from './mail-address.ts';
import type { MailContent } from './mail-content.ts';
import { classifyFailure, MailDelayed } from './mail-error.ts';
import { plainLine } from './plain-line.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';
import { parseSmtpUrl, tlsDemand } from './smtp-url.ts';

/** Mails per connection and concurrent connections. Mail servers limit both. */
const mailsPerConnection = 100;
const mostConnections = 4;

export interface OutgoingMail {
  /** The same for every attempt, so that recipients can detect duplicates. */
  messageId: string;
  to: MailAddress;
  /** Display name of the sender. The address is always MAIL_FROM. */
  fromName: string | null;
  replyTo: string | null;
  content: MailContent;
}

/** Sends mail. */
export interface Mailer extends AsyncDisposable {
  /** Sends a mail once. Throws `MailRefused` if it can never be sent and `MailDelayed` if it may be retried. */
  send(mail: OutgoingMail): Promise<void>;
}

/** Connects to the configured mail server when the first mail is sent. Returns null if none is configured. */
export function createMailer({ mail, secrets }: Pick<Config, 'mail' | 'secrets'>): Mailer | null {
  if (mail === null || secrets.smtpUrl === undefined) return null;
  const { smtpUrl } = secrets;
  let url = smtpUrl.read();
  let transport = openTransport(url, mail.tls);
  let disposed = false;

  /** The transport for the current URL, which operators may have changed in its file. */
  function currentTransport() {
    const current = smtpUrl.read();
    if (current === url || parseSmtpUrl(current) === null) return transport;
    const previous = transport;
    url = current;
    transport = openTransport(current, mail!.tls);
    previous.close();
    return transport;
  }

  return {
    async send({ messageId, to, fromName, replyTo, content }) {
      if (disposed) throw new MailDelayed('This process is shutting down.');
      const name = plainLine(fromName ?? mail.from.name ?? '');
      try {
        await currentTransport().sendMail({
          messageId: `<${messageId}>`,
          from: { name, address: mail.from.address },
          to: { name: plainLine(to.name ?? ''), address: to.address },
          ...(replyTo && { replyTo: { name, address: replyTo } }),
          subject: plainLine(content.subject),
          text: renderText(content),
          html: renderHtml(content),
          textEncoding: 'quoted-printable',
          // Suppresses automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          xMailer: false,
        });
      } catch (error) {
        throw classifyFailure(error);
      }
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      transport.close();
    },
  };
}

function openTransport(url: string, tls: 'required' | 'optional') {
  const server = parseSmtpUrl(url)!;
  const demand = tlsDemand(server, tls);
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
    // A mail whose connection broke may have arrived. The job decides whether to send it again.
    maxRequeues: 0,
    // Closes the connection before the server does, which would appear as a failure.
    idleTimeout: 5_000,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 15_000,
    socketTimeout: minuteMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Connection failures are reported with the mail that the connection carried.
  transport.on('error', () => {});
  return transport;
}
