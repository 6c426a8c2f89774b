import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { readMail, type CaughtMail } from './caught-mail.ts';

const mostBytes = 1_048_576;

/** How the server replies to a mail: with the code if one is given, which rejects it. */
export type SmtpReply = { code: number } | undefined | void;

export interface SmtpOptions {
  host: string;
  port: number;
  /** Called before the reply. It can delay it or return a code to reject the mail with. */
  beforeReply: (mail: CaughtMail) => Promise<SmtpReply> | SmtpReply;
  /** Called for each accepted mail, before the reply is sent. */
  onMail: (mail: CaughtMail) => void;
}

/** A mail server that accepts everything and delivers nothing. */
export async function startSmtp({ host, port, beforeReply, onMail }: SmtpOptions): Promise<AsyncDisposable> {
  const closedSessions = new WeakSet<SMTPServerSession>();
  let count = 0;
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    const raw = await buffer(stream);
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    if (stream.sizeExceeded) throw refusal(552, recipients);
    count += 1;
    const mail = await readMail(raw, { id: count, recipients });
    const reply = await beforeReply(mail);
    if (reply) throw refusal(reply.code, recipients);
    // A client that disconnects before the reply must assume that the mail was not sent, so it is not stored.
    if (!closedSessions.has(session)) onMail(mail);
  };
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'local inbox of the stack',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: mostBytes,
    maxClients: 100,
    maxAllowedUnauthenticatedCommands: false,
    maxRecipients: 10,
    closeTimeout: 200,
    onClose: (session) => void closedSessions.add(session),
    onData(stream, session, callback) {
      take(stream, session).then(
        () => callback(null),
        (error: Error) => callback(error),
      );
    },
  });
  // A client that disconnects early is not an error of the server.
  server.on('error', () => {});
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

/** Includes the recipients, as real mail servers do, so that clients that log replies see them here too. */
function refusal(responseCode: number, recipients: readonly string[]): Error {
  return Object.assign(new Error(`Rejected for ${recipients.join(', ')}`), { responseCode });
}
