import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { domainOf } from '../../mail/mail-address.ts';
import { MailDelayed, MailRefused } from '../../mail/mail-error.ts';
import type { MailContent } from '../../mail/mail-content.ts';
import { plainLine } from '../../mail/plain-line.ts';
import { findOpenLinkById, type OperatorLink } from '../../store/operator-links.ts';
import { findOperator } from '../../store/operators.ts';
import { longTime } from '../mails/mail-words.ts';
import { operatorLinkUrl } from './operator-link.ts';

/** What a mail to an operator is about: a link of theirs, or that their address is locked. */
export type OperatorMail = { linkId: string } | { lockedOperatorId: string };

type MailContext = Pick<Context, 'operator' | 'config' | 'keyring' | 'mailer' | 'metrics' | 'log'>;

/** Sends it, if there is still a reason for it. Throws what is to be tried again. */
export async function sendOperatorMail(ctx: MailContext, mail: OperatorMail): Promise<void> {
  const { mailer, config } = ctx;
  if (mailer === null || config.mail === null)
    throw new MailDelayed('This node has no SMTP_URL and MAIL_FROM.');
  const words = await wordsOf(ctx, mail);
  if (words === null) return;
  const id = 'linkId' in mail ? mail.linkId : randomUUID();
  const messageId = `${id.replaceAll('-', '')}@${domainOf(config.mail.from.address)}`;
  try {
    await mailer.send({
      messageId,
      to: { name: null, address: words.to },
      fromName: 'Tributary',
      replyTo: null,
      content: words.content,
    });
    ctx.metrics.mails.inc({ outcome: 'sent' });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.metrics.mails.inc({ outcome: 'failed' });
    ctx.log.warn({ mailId: id, refusal: error.code }, 'mail to an operator was refused');
  }
}

async function wordsOf(
  ctx: MailContext,
  mail: OperatorMail,
): Promise<{ to: string; content: MailContent } | null> {
  if ('lockedOperatorId' in mail) {
    const operator = await findOperator(ctx.operator, mail.lockedOperatorId);
    return operator && { to: operator.email, content: lockedMail(ctx.config.http.publicUrl) };
  }
  const link = await findOpenLinkById(ctx.operator, mail.linkId);
  if (!link || link.email === null) return null;
  const url = operatorLinkUrl(ctx, link);
  return {
    to: link.email,
    content: link.kind === 'password' ? passwordMail(link, url) : joinMail(link, url),
  };
}

function joinMail({ accountName, invitedBy, role, expiresAt }: OperatorLink, url: string): MailContent {
  const account = plainLine(accountName);
  const who = plainLine(invitedBy ?? 'A colleague');
  return {
    subject: `Join ${account} on Tributary`,
    preheader: `${who} invites you as ${role}.`,
    blocks: [
      { kind: 'heading', text: `Join ${account} on Tributary` },
      { kind: 'paragraph', text: `${who} invites you to the dashboard of ${account}, as ${role}.` },
      { kind: 'button', label: 'Accept the invitation', url },
      {
        kind: 'note',
        text: `The link is for you alone and works once, until ${longTime(expiresAt)}. If you do not know who asks, you can ignore this mail.`,
      },
    ],
  };
}

function passwordMail({ expiresAt }: OperatorLink, url: string): MailContent {
  return {
    subject: 'Choose a new password for Tributary',
    preheader: 'Somebody asked for a new password with your address.',
    blocks: [
      { kind: 'heading', text: 'Choose a new password' },
      { kind: 'paragraph', text: 'Somebody, hopefully you, asked for a new password for the dashboard.' },
      { kind: 'button', label: 'Choose a new password', url },
      {
        kind: 'note',
        text: `The link works once, until ${longTime(expiresAt)}. If it was not you, you can ignore this mail: your password stays as it is.`,
      },
    ],
  };
}

function lockedMail(publicUrl: string): MailContent {
  return {
    subject: 'Signing in to Tributary is paused for 15 minutes',
    preheader: 'Ten wrong passwords in a row were given with your address.',
    blocks: [
      { kind: 'heading', text: 'Signing in is paused for 15 minutes' },
      {
        kind: 'paragraph',
        text: 'Ten wrong passwords in a row were given with your address. Nobody can sign in with it for 15 minutes; where you are signed in, you stay so.',
      },
      {
        kind: 'paragraph',
        text: 'If it was not you, somebody may be guessing. A long password that you use nowhere else and an authenticator app keep them out.',
      },
      { kind: 'button', label: 'Choose a new password', url: `${publicUrl}/dashboard/forgot` },
    ],
  };
}
