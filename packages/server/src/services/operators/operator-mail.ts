import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { domainOf } from '../../mail/mail-address.ts';
import { MailDelayed, MailRefused } from '../../mail/mail-error.ts';
import type { MailContent } from '../../mail/mail-content.ts';
import { plainLine } from '../../mail/plain-line.ts';
import type { OperatorMail } from '../../queue/queues.ts';
import { findOpenLinkById, type OperatorLink } from '../../store/accounts/operator-links.ts';
import { findOperator } from '../../store/accounts/operators.ts';
import { longTime } from '../mails/mail-words.ts';
import { operatorLinkUrl } from './operator-link.ts';
import { preparePasswordReset } from './passwords.ts';

type MailContext = Pick<
  Context,
  'operator' | 'config' | 'keyring' | 'mailer' | 'metrics' | 'log' | 'newId' | 'jobs'
>;

/** Sends the mail if it is still needed. Throws errors that should be retried. */
export async function sendOperatorMail(ctx: MailContext, mail: OperatorMail): Promise<void> {
  if ('resetEmailHash' in mail) return preparePasswordReset(ctx, mail.resetEmailHash);
  const { mailer, config } = ctx;
  if (mailer === null || config.mail === null)
    throw new MailDelayed('SMTP_URL and MAIL_FROM are not set on this node.');
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
    ctx.log.warn({ mailId: id, refusal: error.code }, 'mail server rejected an email to a dashboard user');
  }
}

async function wordsOf(
  ctx: MailContext,
  mail: Exclude<OperatorMail, { resetEmailHash: string }>,
): Promise<{ to: string; content: MailContent } | null> {
  if ('lockedOperatorId' in mail) {
    const operator = await findOperator(ctx.operator, mail.lockedOperatorId);
    return operator && { to: operator.email, content: guessedMail(ctx.config.http.publicUrl) };
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
    preheader: `${who} invited you as ${role}.`,
    blocks: [
      { kind: 'heading', text: `Join ${account} on Tributary` },
      {
        kind: 'paragraph',
        text: `${who} invited you to the Tributary dashboard of ${account}. Your role: ${role}.`,
      },
      { kind: 'button', label: 'Accept invitation', url },
      {
        kind: 'note',
        text: `This link is only for you. It works once and expires on ${longTime(expiresAt)}. If you do not know who invited you, you can ignore this email.`,
      },
    ],
  };
}

function passwordMail({ expiresAt }: OperatorLink, url: string): MailContent {
  return {
    subject: 'Reset your Tributary password',
    preheader: 'A password reset was requested for your email address.',
    blocks: [
      { kind: 'heading', text: 'Reset your password' },
      { kind: 'paragraph', text: 'We received a request to reset the password of your dashboard sign-in.' },
      { kind: 'button', label: 'Choose a new password', url },
      {
        kind: 'note',
        text: `The link works once and expires on ${longTime(expiresAt)}. If you did not request this, you can ignore this email. Your password does not change.`,
      },
    ],
  };
}

function guessedMail(publicUrl: string): MailContent {
  return {
    subject: 'Someone may be guessing your Tributary password',
    preheader: 'Someone entered ten wrong passwords in a row for your email address.',
    blocks: [
      { kind: 'heading', text: 'Ten wrong passwords in a row' },
      {
        kind: 'paragraph',
        text: 'Someone entered ten wrong passwords in a row for your email address. Further attempts have to wait longer and longer. You can sign in as usual wherever you have signed in before, and your open sessions stay signed in.',
      },
      {
        kind: 'paragraph',
        text: 'If this was not you, someone may be guessing your password. A long, unique password and an authenticator app keep them out. If you cannot sign in from a new place, choose a new password there.',
      },
      { kind: 'button', label: 'Choose a new password', url: `${publicUrl}/dashboard/forgot` },
    ],
  };
}
