import { html, type Html } from '../../html.ts';
import { longDate, longTime } from '../../services/mails/mail-words.ts';

/** Formats a date. */
export function writtenDay(at: string): Html {
  return html`<time datetime="${at}">${longDate(at)}</time>`;
}

/** Formats a time in UTC, because the page does not know the reader's time zone. */
export function writtenMoment(at: string): Html {
  return html`<time datetime="${at}">${longTime(at)}</time>`;
}
