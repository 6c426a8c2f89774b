import { html, type Html } from '../../html.ts';
import { nameToGreet } from '../../services/mails/mail-words.ts';
import type { InvitationView } from '../../services/roster/open-invitation.ts';
import { factList, readableList } from './facts.ts';
import { contactLine, named, type Page } from './layout.ts';
import { writtenMoment } from './written-date.ts';

/** Asks a person to accept or decline: which organization wants to read which data, for how long, and what each choice does. */
export function invitationPage(view: InvitationView): Page {
  const who = named(view.organization);
  const name = nameToGreet(view.name);
  return {
    title: 'Invitation',
    organization: view.organization,
    main: html`<div class="opening">
        <h1>${who} invites you to share your health data</h1>
        <p>
          ${name === null ? null : html`Hello ${named(name)}. `}This invitation was sent to
          <b>${named(view.email)}</b>.
          ${
            view.existing
              ? html`${who} already has health data about you that it collected itself.`
              : html`Nothing is shared unless you accept.`
          }
        </p>
      </div>
      <section class="card" aria-labelledby="readable">
        <h2 id="readable">Data ${who} ${view.existing ? 'reads' : 'could read'}</h2>
        ${readableList()}
      </section>
      <section class="card" aria-labelledby="terms">
        <h2 id="terms">Your choices</h2>
        ${factList(view.existing ? termsOfExisting(view) : termsOfNew(view))}
      </section>
      <form method="post" class="choices" aria-label="Your choice">
        <button class="button" name="choice" value="accept">Accept</button>
        <button class="button" name="choice" value="decline">Decline</button>
      </form>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

function termsOfNew(view: InvitationView): [string, Html][] {
  const who = named(view.organization);
  return [
    [
      'If you accept',
      html`${who} can read this data from now on, and any data that you shared with it before. We email you a
      link that you can use at any time to stop sharing and have your data erased.`,
    ],
    ['If you decline', html`Nothing is shared. ${who} only learns that you declined.`],
    ['How long', html`Until you stop sharing. There is no expiration date.`],
    replyDeadline(view),
  ];
}

function termsOfExisting(view: InvitationView): [string, Html][] {
  const who = named(view.organization);
  return [
    [
      'If you accept',
      html`You agree that ${who} can read the data that it has about you, and any data added later. We email
      you a link that you can use to leave at any time.`,
    ],
    [
      'If you decline',
      html`You are not listed as a member. ${who} still has the data that it collected itself. If you want
      that data erased, ask ${who}.`,
    ],
    ['How long', html`Until you leave. There is no expiration date.`],
    replyDeadline(view),
  ];
}

function replyDeadline({ expiresAt }: InvitationView): [string, Html] {
  return ['Reply by', writtenMoment(expiresAt)];
}

/** Shown after accepting: the next steps and how to stop sharing. */
export function acceptedPage(view: InvitationView, membershipPath: string | null): Page {
  const who = named(view.organization);
  return {
    title: 'Accepted',
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge ok">Accepted</p>
        <h1>You now share your health data with ${who}</h1>
        <p>
          ${who} can read your health data from now on. If you need to set anything up, ${who} will let you
          know.
        </p>
      </div>
      <section class="card" aria-labelledby="leaving">
        <h2 id="leaving">If you change your mind</h2>
        <p>
          Keep the link to your page. You can use it to ${view.existing ? 'leave' : 'stop sharing'} at any
          time. We are also emailing it to <b>${named(view.email)}</b>.
        </p>
        ${membershipPath === null ? null : html`<a class="button" href="${membershipPath}">Open your page</a>`}
      </section>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

/** Shown after declining: nothing was or will be shared. */
export function declinedPage(view: InvitationView): Page {
  const who = named(view.organization);
  return {
    title: 'Declined',
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge">Declined</p>
        <h1>You declined the invitation</h1>
        <p>
          ${
            view.existing
              ? html`You are not listed as a member. ${who} still has the data that it collected itself. If
                you want that data erased, ask ${who}.`
              : html`Nothing was shared.`
          }
          ${who} only learns that you declined. There is nothing more to do. You can close this page.
        </p>
      </div>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

/** Shown while the organization cannot accept members. The invitation stays pending. */
export function unavailableInvitationPage(view: InvitationView): Page {
  const who = named(view.organization);
  return {
    title: 'Not possible right now',
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge warn">Not possible right now</p>
        <h1>${who} cannot accept new members right now</h1>
        <p>
          Nothing was shared. Your invitation stays open until ${writtenMoment(view.expiresAt)}. Try again
          later, or ask ${who}.
        </p>
      </div>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}
