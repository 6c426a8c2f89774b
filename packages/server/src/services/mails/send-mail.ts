import type { Context } from '../../context.ts';
import { deriveLinkToken, linkPath, type LinkKind } from '../../credentials/link-token.ts';
import { domainOf } from '../../mail/mail-address.ts';
import { MailDelayed, MailRefused } from '../../mail/mail-error.ts';
import type { OutgoingMail } from '../../mail/mailer.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';
import {
  findWaitingMail,
  lockMail,
  updateMailOutcome,
  type MailKind,
  type WaitingMail,
} from '../../store/roster/mails.ts';
import { invitationMail } from './invitation-mail.ts';
import { nameToGreet } from './mail-words.ts';
import { welcomeMail } from './welcome-mail.ts';

type MailContext = Pick<Context, 'operator' | 'config' | 'keyring' | 'mailer' | 'metrics'>;

export interface MailOutcome {
  kind: MailKind;
  status: 'sent' | 'failed' | 'cancelled';
  refusal: string | null;
}

/**
 * Sends a waiting mail and records the outcome under a lock. A mail is sent twice, with the same Message-ID, only if the process dies
 * between the mail server's response and the commit. Returns null if the mail already has an outcome. Throws errors that should be retried.
 */
export async function sendMail(ctx: MailContext, mailId: string): Promise<MailOutcome | null> {
  const ended = await inLongTransaction(ctx.operator, async (tx) => {
    await lockMail(tx, mailId);
    const mail = await findWaitingMail(tx, mailId);
    if (!mail) return null;
    const outcome = { kind: mail.kind, ...(await deliver(ctx, mailId, mail)) };
    await updateMailOutcome(tx, mailId, outcome);
    return outcome;
  });
  if (ended) ctx.metrics.mails.inc({ outcome: ended.status });
  return ended;
}

async function deliver(ctx: MailContext, id: string, mail: WaitingMail): Promise<Omit<MailOutcome, 'kind'>> {
  const { mailer, config } = ctx;
  if (mailer === null || config.mail === null)
    throw new MailDelayed('SMTP_URL and MAIL_FROM are not set on this node.');
  const words = wordsOf(ctx, mail);
  if (words === null) return { status: 'cancelled', refusal: null };
  const messageId = `${id.replaceAll('-', '')}@${domainOf(config.mail.from.address)}`;
  try {
    await mailer.send({ messageId, ...words });
    return { status: 'sent', refusal: null };
  } catch (error) {
    if (error instanceof MailRefused) return { status: 'failed', refusal: error.code };
    ctx.metrics.mails.inc({ outcome: 'delayed' });
    throw error;
  }
}

/** Returns the recipient and content of the mail, or null if it is no longer needed. */
function wordsOf(ctx: MailContext, mail: WaitingMail): Omit<OutgoingMail, 'messageId'> | null {
  const { organization, contactEmail, invitation, member } = mail;
  if (organization === null) return null;
  const sender = { fromName: organization, replyTo: contactEmail };
  if (mail.kind === 'invitation') {
    if (!invitation.isOpen || !mail.isAccountActive) return null;
    const { email, name, isExisting, expiresAt } = invitation;
    const url = linkOf(ctx, 'invitation', invitation);
    const content = invitationMail({ organization, name, isExisting, expiresAt, url });
    return { ...sender, to: { name: nameToGreet(name), address: email }, content };
  }
  if (member === null) return null;
  const { email, name } = member;
  const content = welcomeMail({ organization, name, url: linkOf(ctx, 'membership', member) });
  return { ...sender, to: { name: nameToGreet(name), address: email }, content };
}

function linkOf(
  { config, keyring }: MailContext,
  kind: LinkKind,
  { id, keyVersion }: { id: string; keyVersion: number },
): string {
  return config.http.publicUrl + linkPath(kind, deriveLinkToken(keyring, kind, { id, keyVersion }));
}
