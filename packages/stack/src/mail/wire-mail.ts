import type { CaughtMail } from './caught-mail.ts';

/** A mail as `/messages` returns it to tests and scripts. */
export function wireMail({ receivedAt, replyTo, messageId, ...mail }: CaughtMail): object {
  return { ...mail, received_at: receivedAt, reply_to: replyTo, message_id: messageId };
}
