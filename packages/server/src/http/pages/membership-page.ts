import { html, type Html } from '../../html.ts';
import type { MembershipView } from '../../services/roster/open-membership.ts';
import { readableList } from './facts.ts';
import { contactLine, named, type Page } from './layout.ts';
import { writtenDay } from './written-date.ts';

/** Shows what a person shares and how to stop. `unconfirmed` asks again to confirm an erasure. */
export function membershipPage(view: MembershipView, { unconfirmed = false } = {}): Page {
  const who = named(view.organization);
  if (view.status === 'removed' || view.erased) return endedMembershipPage(view, unconfirmed);
  const leave = view.own ? 'Stop sharing' : 'Leave';
  return {
    title: 'Data you share',
    organization: view.organization,
    main: html`<div class="opening">
        <h1>You are sharing your health data with ${who}</h1>
        <p>
          Since
          ${writtenDay(view.joinedAt)}${view.email === null ? null : html`, as <b>${named(view.email)}</b>`}.
          ${
            view.status === 'archived'
              ? html`${who} has archived your membership. It can still read your data.`
              : null
          }
        </p>
      </div>
      <details class="card">
        <summary>Data ${who} can read</summary>
        ${readableList()}
      </details>
      <section class="card" aria-labelledby="leave">
        <h2 id="leave">${leave}</h2>
        <p>
          ${
            view.own
              ? html`${who} will no longer be able to read your data. We keep the data for you, hidden, in
                case you come back.`
              : html`You will no longer be listed as a member. ${who} still has the data that it collected
                itself. To have that data erased, ask ${who} directly.`
          }
        </p>
        <form method="post"><button class="button" name="action" value="leave">${leave}</button></form>
      </section>
      ${view.own ? eraseSection(html`Stop sharing and erase`, html`${who} will no longer be able to read your data, and we erase all of it here.`, unconfirmed) : null}
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
              ? html`Your health data has been erased`
              : view.own
                ? html`You are no longer sharing your health data with ${who}`
                : html`You are no longer a member of ${who}`
          }
        </h1>
        <p>${describeRetention(view)}</p>
      </div>
      ${
        view.own && !view.erased
          ? eraseSection(
              html`Erase your data`,
              html`We erase everything that we keep for you here.`,
              unconfirmed,
            )
          : null
      }
      ${contactLine(view.organization, view.contactEmail)}`,
  };
}

function describeRetention({ own, erased, organization, removedAt }: MembershipView): Html {
  const who = named(organization);
  if (erased) {
    return html`${who} can no longer read it. Removing everything that was kept here can take a few minutes.
    There is nothing more to do.`;
  }
  if (own) {
    return html`${who}
    ${
      removedAt === null
        ? html`can no longer read your data.`
        : html`has not been able to read your data since ${writtenDay(removedAt)}.`
    }
    We keep it for you: if you accept another invitation from ${who}, it is available again.`;
  }
  return html`${
    removedAt === null
      ? html`You are no longer listed as a member.`
      : html`You have not been listed as a member since ${writtenDay(removedAt)}.`
  }
  ${who} still has the data that it collected itself. To have that data erased, ask ${who} directly.`;
}

/** Erasing cannot be undone, so it takes two steps: checking a box and pressing a button. */
function eraseSection(heading: Html, effect: Html, unconfirmed: boolean): Html {
  return html`<section class="card" aria-labelledby="erase">
    <h2 id="erase">${heading}</h2>
    <p>${effect} This cannot be undone.</p>
    <form method="post">
      ${unconfirmed ? html`<p class="notice" id="unconfirmed" role="alert"><b>Nothing has been erased yet.</b> Check the box to confirm, then press the button again.</p>` : null}
      <label class="choice"
        ><input
          type="checkbox"
          name="confirm"
          value="yes"
          ${unconfirmed ? html`autofocus aria-describedby="unconfirmed"` : null}
        />Permanently erase my data</label
      >
      <button class="button bad" name="action" value="leave_and_erase">${heading}</button>
    </form>
  </section>`;
}
