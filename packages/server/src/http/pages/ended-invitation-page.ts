import { html, type Html } from '../../html.ts';
import type { InvitationView } from '../../services/roster/open-invitation.ts';
import { contactLine, named, type Page } from './layout.ts';
import { writtenDay } from './written-date.ts';

type Ended = Exclude<InvitationView['status'], 'pending'>;

/** Shows why an invitation can no longer be accepted or declined, and what to do. */
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
    heading: html`You already accepted this invitation`,
    text: html`There is nothing more to do. To see what you share with ${named(organization)} or to leave, use
    the link in the email that we sent you after you accepted.`,
  }),
  declined: ({ organization }) => ({
    badge: 'Declined',
    tone: '',
    heading: html`You already declined this invitation`,
    text: html`If you have changed your mind, ask ${named(organization)} to invite you again.`,
  }),
  revoked: ({ organization }) => ({
    badge: 'Withdrawn',
    tone: '',
    heading: html`${named(organization)} has withdrawn this invitation`,
    text: html`You can no longer reply to it, and nothing was shared through it. There is nothing you need to
    do. If you were expecting it, ask ${named(organization)} to invite you again.`,
  }),
  expired: ({ organization, expiresAt }) => ({
    badge: 'Expired',
    tone: 'warn',
    heading: html`This invitation has expired`,
    text: html`You could reply until ${writtenDay(expiresAt)}. Nothing was shared through it. If you want to
    take part, ask ${named(organization)} to invite you again.`,
  }),
};
