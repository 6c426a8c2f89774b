import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { readMail, type CaughtMail } from './caught-mail.ts';

const mostBytes = 1_048_576;

/** How the server answers a mail; refused with the code where one is given. */
export type Answer = { code: number } | undefined | void;

export interface SmtpOptions {
  host: string;
  port: number;
  /** Asked before a mail is answered: it can take its time, or name a code to refuse it with. */
  beforeAnswer: (mail: CaughtMail) => Promise<Answer> | Answer;
  /** Told of each mail that was taken, at the moment of the answer. */
  onMail: (mail: CaughtMail) => void;
}

/** A mail server that takes everything and brings it nowhere. */
export async function startSmtp({ host, port, beforeAnswer, onMail }: SmtpOptions): Promise<AsyncDisposable> {
  const gone = new WeakSet<SMTPServerSession>();
  let count = 0;
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    const raw = await buffer(stream);
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    if (stream.sizeExceeded) throw refusal(552, recipients);
    count += 1;
    const mail = await readMail(raw, { id: count, recipients });
    const answer = await beforeAnswer(mail);
    if (answer) throw refusal(answer.code, recipients);
    // Who left before the answer has to take the mail for not sent, and so it is.
    if (!gone.has(session)) onMail(mail);
  };
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'mail catcher of the stack',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: mostBytes,
    maxClients: 100,
    maxAllowedUnauthenticatedCommands: false,
    maxRecipients: 10,
    closeTimeout: 200,
    onClose: (session) => void gone.add(session),
    onData(stream, session, callback) {
      take(stream, session).then(
        () => callback(null),
        (error: Error) => callback(error),
      );
    },
  });
  // A client that breaks off, which is its own affair.
  server.on('error', () => {});
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

/** Names the recipients, as mail servers do: whoever logs an answer should meet that here. */
function refusal(responseCode: number, recipients: readonly string[]): Error {
  return Object.assign(new Error(`Refused for ${recipients.join(', ')}`), { responseCode });
}
