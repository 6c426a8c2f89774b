import type { ApiError } from '@tributary/contract';
import type { MembershipView } from '../../services/roster/open-membership.ts';
import { html } from './html.ts';
import { contactLine, named, type Page } from './layout.ts';

/** A page that only says something: what happened, what was kept, what to do. */
function messagePage(title: string, paragraphs: readonly string[], requestId?: string): Page {
  return {
    title,
    organization: null,
    main: html`<div class="opening">
        <h1>${title}</h1>
        ${paragraphs.map((paragraph) => html`<p>${paragraph}</p> `)}
      </div>
      ${requestId === undefined ? null : html`<p class="aside">If you report this, name the request <code>${requestId}</code>.</p>`}`,
  };
}

/** For a link that is none of ours, or no longer. */
export function unknownLinkPage(): Page {
  return messagePage('We do not know this link', [
    'It may have been cut off on its way. Open it from the mail again, or copy all of it into the address bar.',
    'If that does not help, ask whoever invited you to send a new one.',
  ]);
}

/** For a form that was sent by a page of somebody else. */
export function foreignFormPage(requestId: string): Page {
  return messagePage(
    'This answer came from another website',
    [
      'Nothing was changed. To answer, open the link that you were sent, and use the buttons of the page that it opens.',
    ],
    requestId,
  );
}

/** For an erasure that is not ours to make. */
export function notErasablePage({ organization, contactEmail }: MembershipView): Page {
  const who = named(organization);
  return {
    title: 'Not possible here',
    organization,
    main: html`<div class="opening">
        <h1>This data cannot be erased here</h1>
        <p>Nothing was changed. ${who} collected this data itself; ask it to erase it.</p>
      </div>
      ${contactLine(organization, contactEmail)}`,
  };
}

/** For an erasure by an old link, after the person has joined again. */
export function sharedAgainPage({ organization, contactEmail }: MembershipView): Page {
  const who = named(organization);
  return {
    title: 'Not possible here',
    organization,
    main: html`<div class="opening">
        <h1>This link is from an earlier membership</h1>
        <p>
          Nothing was erased: you share this data with ${who} again. To leave or to erase it, use the link in
          the newest mail that we sent you.
        </p>
      </div>
      ${contactLine(organization, contactEmail)}`,
  };
}

/** For any failure. */
export function failurePage(error: ApiError, requestId: string): Page {
  if (error.code === 'rate_limited') {
    const seconds = error.retryAfterSeconds ?? 1;
    return messagePage(
      'Too many requests at once',
      [
        'Many pages were opened from your network in a short time. Nothing was changed by this request.',
        `Wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, then open the link again.`,
      ],
      requestId,
    );
  }
  if (error.status >= 500) {
    return messagePage(
      error.code === 'unavailable'
        ? 'This page is not available right now'
        : 'Something went wrong on our side',
      [
        'The link stays as it is. If you had just given an answer, it may or may not have arrived.',
        'Wait a moment, then open the link that you were sent again: it shows what we know.',
      ],
      requestId,
    );
  }
  return messagePage(
    'We could not read this answer',
    ['Nothing was changed. Open the link that you were sent again, and use the buttons of the page.'],
    requestId,
  );
}
