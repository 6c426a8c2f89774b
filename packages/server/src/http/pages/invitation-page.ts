import { nameToGreet } from '../../services/mails/mail-words.ts';
import type { InvitationView } from '../../services/roster/open-invitation.ts';
import { factList, readableList } from './facts.ts';
import { html, type Html } from './html.ts';
import { contactLine, named, type Page } from './layout.ts';
import { writtenMoment } from './written-date.ts';

/** Asks a person for an answer: who wants to read what, for how long, and what each answer does. */
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
              ? html`${who} already keeps health data about you that it collected itself.`
              : html`Nothing is shared unless you accept.`
          }
        </p>
      </div>
      <section class="card" aria-labelledby="readable">
        <h2 id="readable">What ${who} ${view.existing ? 'reads' : 'could read'}</h2>
        ${readableList()}
      </section>
      <section class="card" aria-labelledby="terms">
        <h2 id="terms">What your answer does</h2>
        ${factList(view.existing ? termsOfExisting(view) : termsOfNew(view))}
      </section>
      <form method="post" class="answers" aria-label="Your answer">
        <button class="button" name="answer" value="accept">Accept</button>
        <button class="button" name="answer" value="decline">Decline</button>
      </form>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

function termsOfNew(view: InvitationView): [string, Html][] {
  const who = named(view.organization);
  return [
    [
      'If you accept',
      html`${who} can read this data from now on, and what you shared with it before, if you did. We mail you
      a link that lets you leave at any time, and have your data erased.`,
    ],
    ['If you decline', html`Nothing is shared. ${who} learns that you declined, and nothing else.`],
    ['For how long', html`Until you leave. There is no other end.`],
    answerBy(view),
  ];
}

function termsOfExisting(view: InvitationView): [string, Html][] {
  const who = named(view.organization);
  return [
    [
      'If you accept',
      html`You agree that ${who} reads the data that it keeps about you, and what is added. We mail you a link
      that lets you leave at any time.`,
    ],
    [
      'If you decline',
      html`You are not listed as a member. ${who} still has what it collected itself; ask it if you want that
      erased.`,
    ],
    ['For how long', html`Until you leave. There is no other end.`],
    answerBy(view),
  ];
}

function answerBy({ expiresAt }: InvitationView): [string, Html] {
  return ['Answer by', writtenMoment(expiresAt)];
}

/** After accepting: what happens now, and the way out. */
export function acceptedPage(view: InvitationView, membershipPath: string | null): Page {
  const who = named(view.organization);
  return {
    title: 'Accepted',
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge ok">Accepted</p>
        <h1>You now share your health data with ${who}</h1>
        <p>${who} can read your health data from now on. If there is anything to set up, it will tell you.</p>
      </div>
      <section class="card" aria-labelledby="leaving">
        <h2 id="leaving">If you change your mind</h2>
        <p>
          Keep the link to your page: there you can leave at any time. We are sending it to
          <b>${named(view.email)}</b> as well.
        </p>
        ${membershipPath === null ? null : html`<a class="button" href="${membershipPath}">Open your page</a>`}
      </section>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

/** After declining: nothing happened, and nothing will. */
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
              ? html`You are not listed as a member. ${who} still has what it collected itself; ask it if you
                want that erased.`
              : html`Nothing was shared.`
          }
          ${who} learns that you declined, and nothing else. There is nothing more to do; you can close this
          page.
        </p>
      </div>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

/** Where the organization cannot take anyone now: the invitation stays as it is. */
export function unavailableInvitationPage(view: InvitationView): Page {
  const who = named(view.organization);
  return {
    title: 'Not possible now',
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge warn">Not possible now</p>
        <h1>${who} cannot take new members at the moment</h1>
        <p>
          Nothing was shared, and your invitation stays open until ${writtenMoment(view.expiresAt)}. Please
          try again later, or ask ${who}.
        </p>
      </div>
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}
