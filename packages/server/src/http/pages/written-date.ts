import { longDate, longTime } from '../../services/mails/mail-words.ts';
import { html, type Html } from './html.ts';

/** A day, written out. */
export function writtenDay(at: string): Html {
  return html`<time datetime="${at}">${longDate(at)}</time>`;
}

/** A moment, written out. The page does not know the clock of its reader. */
export function writtenMoment(at: string): Html {
  return html`<time datetime="${at}">${longTime(at)}</time>`;
}
