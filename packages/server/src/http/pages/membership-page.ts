import type { MembershipView } from '../../services/roster/open-membership.ts';
import { readableList } from './facts.ts';
import { html, type Html } from './html.ts';
import { contactLine, named, type Page } from './layout.ts';
import { writtenDay } from './written-date.ts';

/** What a person shares, and the ways to end it. `unconfirmed` asks again for the confirmation of an erasure. */
export function membershipPage(view: MembershipView, { unconfirmed = false } = {}): Page {
  const who = named(view.organization);
  if (view.status === 'removed' || view.erased) return endedMembershipPage(view, unconfirmed);
  return {
    title: 'Your sharing',
    organization: view.organization,
    main: html`<div class="opening">
        <h1>You share your health data with ${who}</h1>
        <p>
          Since
          ${writtenDay(view.joinedAt)}${view.email === null ? null : html`, as <b>${named(view.email)}</b>`}.
          ${
            view.status === 'archived'
              ? html`${who} has put you in its archive; it can still read your data.`
              : null
          }
        </p>
      </div>
      <details class="card">
        <summary>What ${who} can read</summary>
        ${readableList()}
      </details>
      <section class="card" aria-labelledby="leave">
        <h2 id="leave">Leave</h2>
        <p>
          ${
            view.own
              ? html`Once you leave, ${who} cannot read your data. It is kept for you, out of sight, in case
                you come back.`
              : html`Once you leave, you are no longer listed. ${who} still has the data that it collected
                itself; to have that erased, ask it directly.`
          }
        </p>
        <form method="post"><button class="button" name="action" value="leave">Leave</button></form>
      </section>
      ${view.own ? eraseSection(html`Leave and erase`, html`Once you leave, ${who} cannot read your data, and everything that is kept of it here is erased.`, unconfirmed) : null}
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

function endedMembershipPage(view: MembershipView, unconfirmed: boolean): Page {
  const who = named(view.organization);
  return {
    title: view.erased ? 'Erased' : 'No longer shared',
    organization: view.organization,
    main: html`<div class="opening">
        <p class="badge">${view.erased ? 'Erased' : 'No longer shared'}</p>
        <h1>
          ${
            view.erased
              ? html`Your health data is erased`
              : view.own
                ? html`You no longer share your health data with ${who}`
                : html`You are no longer a member of ${who}`
          }
        </h1>
        <p>${whatIsKept(view)}</p>
      </div>
      ${
        view.own && !view.erased
          ? eraseSection(
              html`Erase your data`,
              html`Everything that is kept for you here is erased.`,
              unconfirmed,
            )
          : null
      }
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

function whatIsKept({ own, erased, organization, removedAt }: MembershipView): Html {
  const who = named(organization);
  const since = removedAt === null ? null : html` since ${writtenDay(removedAt)}`;
  if (erased) {
    return html`${who} can no longer read it. Everything that was kept here is removed, which can take a few
    minutes. There is nothing more to do.`;
  }
  if (own) {
    return html`${who} cannot read your data${since}. It is kept for you: if you accept another invitation of
    ${who}, it is there again.`;
  }
  return html`You are not listed any more${since}. ${who} still has the data that it collected itself; to have
  that erased, ask it directly.`;
}

/** Erasing cannot be undone, so it takes two acts: a box that is ticked, and a button. */
function eraseSection(heading: Html, effect: Html, unconfirmed: boolean): Html {
  return html`<section class="card" aria-labelledby="erase">
    <h2 id="erase">${heading}</h2>
    <p>${effect} This cannot be undone.</p>
    <form method="post">
      ${unconfirmed ? html`<p class="notice" id="unconfirmed" role="alert"><b>Nothing was erased yet.</b> Tick the box to confirm, then press the button again.</p>` : null}
      <label class="choice"
        ><input
          type="checkbox"
          name="confirm"
          value="yes"
          ${unconfirmed ? html`autofocus aria-describedby="unconfirmed"` : null}
        />Erase my data for good</label
      >
      <button class="button bad" name="action" value="leave_and_erase">${heading}</button>
    </form>
  </section>`;
}
