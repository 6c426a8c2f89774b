import type { InvitationView } from '../../services/roster/open-invitation.ts';
import { html, type Html } from './html.ts';
import { contactLine, named, type Page } from './layout.ts';
import { writtenDay } from './written-date.ts';

type Ended = Exclude<InvitationView['status'], 'pending'>;

/** An invitation that can be answered no more: what became of it, and what to do. */
export function endedInvitationPage(view: InvitationView, status: Ended): Page {
  const { badge, tone, heading, text } = words[status](view);
  return {
    title: badge,
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge ${tone}">${badge}</p>
        <h1>${heading}</h1>
        <p>${text}</p>
      </div>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

interface Words {
  badge: string;
  tone: '' | 'ok' | 'warn';
  heading: Html;
  text: Html;
}

const words: Record<Ended, (view: InvitationView) => Words> = {
  accepted: ({ organization }) => ({
    badge: 'Accepted',
    tone: 'ok',
    heading: html`You have accepted this invitation`,
    text: html`There is nothing more to do. To see what you share with ${named(organization)}, or to leave,
    use the link in the mail that we sent you afterwards.`,
  }),
  declined: ({ organization }) => ({
    badge: 'Declined',
    tone: '',
    heading: html`You have declined this invitation`,
    text: html`If you changed your mind, ask ${named(organization)} to invite you again.`,
  }),
  revoked: ({ organization }) => ({
    badge: 'Withdrawn',
    tone: '',
    heading: html`${named(organization)} has withdrawn this invitation`,
    text: html`It can no longer be answered, and nothing was shared through it. There is nothing to do. If you
    expected it, ask ${named(organization)} to invite you again.`,
  }),
  expired: ({ organization, expiresAt }) => ({
    badge: 'Expired',
    tone: 'warn',
    heading: html`This invitation has expired`,
    text: html`It could be answered until ${writtenDay(expiresAt)}. Nothing was shared through it. If you want
    to take part, ask ${named(organization)} to invite you again.`,
  }),
};
