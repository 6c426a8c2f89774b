import type { ApiError } from '@tributary/contract';
import { html } from '../../html.ts';
import type { MembershipView } from '../../services/roster/open-membership.ts';
import { contactLine, named, type Page } from './layout.ts';

/** Renders a page with text only: what happened, what was stored, what to do. */
function messagePage(title: string, paragraphs: readonly string[], requestId?: string): Page {
  return {
    title,
    organization: null,
    main: html`<div class="opening">
        <h1>${title}</h1>
        ${paragraphs.map((paragraph) => html`<p>${paragraph}</p> `)}
      </div>
      ${requestId === undefined ? null : html`<p class="aside">If you report this problem, include the request ID <code>${requestId}</code>.</p>`}`,
  };
}

/** Shown for a link that is invalid or no longer valid. */
export function unknownLinkPage(): Page {
  return messagePage('We do not recognize this link', [
    'Part of it may be missing. Open it from the email again, or copy the whole link into the address bar.',
    'If that does not help, ask the organization that invited you to send a new one.',
  ]);
}

/** Shown for a form that another website submitted. */
export function foreignFormPage(requestId: string): Page {
  return messagePage(
    'This request came from another website',
    ['Nothing was changed. To continue, open the link that you were sent and use the buttons on that page.'],
    requestId,
  );
}

/** Shown if the data belongs to the organization and cannot be erased here. */
export function notErasablePage({ organization, contactEmail }: MembershipView): Page {
  const who = named(organization);
  return {
    title: 'Not possible here',
    organization,
    main: html`<div class="opening">
        <h1>This data cannot be erased here</h1>
        <p>Nothing was changed. ${who} collected this data itself. To have it erased, ask ${who}.</p>
      </div>
      ${contactLine(organization, contactEmail)}`,
  };
}

/** Shown for an erasure with an old link after the person joined again. */
export function sharedAgainPage({ organization, contactEmail }: MembershipView): Page {
  const who = named(organization);
  return {
    title: 'Not possible here',
    organization,
    main: html`<div class="opening">
        <h1>This link is from an earlier membership</h1>
        <p>
          Nothing was erased, because you are sharing this data with ${who} again. To stop sharing or to erase
          it, use the link in the most recent email that we sent you.
        </p>
      </div>
      ${contactLine(organization, contactEmail)}`,
  };
}

/** Shown for every error. */
export function failurePage(error: ApiError, requestId: string): Page {
  if (error.code === 'rate_limited') {
    const seconds = error.retryAfterSeconds ?? 1;
    return messagePage(
      'Too many requests',
      [
        'Many pages were opened from your network in a short time. This request changed nothing.',
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
        'Your link has not changed. If you just made a choice, we may or may not have received it.',
        'Wait a moment, then open the link that you were sent again. It shows what we received.',
      ],
      requestId,
    );
  }
  return messagePage(
    'We could not read your choice',
    ['Nothing was changed. Open the link that you were sent again and use the buttons on the page.'],
    requestId,
  );
}
