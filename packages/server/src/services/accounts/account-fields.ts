import { isMailAddress } from '../../mail/mail-address.ts';
import { normalizeRedirect } from '../connections/allowed-redirect.ts';

/** A setting of an account: how it is read from what somebody typed, and what is said of what cannot be read. */
interface Field<Given, Kept = Given> {
  /** Null when it cannot be kept. */
  read: (given: Given) => Kept | null;
  rule: string;
}

const name: Field<string> = {
  read: (given) => within(given.trim(), 200),
  rule: 'must have 1 to 200 characters',
};

const organizationName: Field<string> = {
  read: (given) => (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(given.trim()) ? null : within(given.trim(), 100)),
  rule: 'must have 1 to 100 characters on one line',
};

const contactEmail: Field<string> = {
  read: (given) => (isMailAddress(given.trim()) ? given.trim() : null),
  rule: 'must be a mail address such as team@example.org',
};

const syncIntervalSeconds: Field<number> = {
  read: (given) => (Number.isInteger(given) && given >= 60 && given <= 86_400 ? given : null),
  rule: 'must be a whole number of seconds from 60 to 86400',
};

/** In the one spelling by which it is compared later. What is sent back comes as a query, so an entry has none. */
const redirectUrl: Field<string> = {
  read: (given) => {
    const url = normalizeRedirect(given);
    return url === null || url.length > 2000 || /[?#]/.test(url) ? null : url;
  },
  rule: 'must be an address such as https://app.example.com/connected or myapp://connected, without query, fragment, user or password',
};

export const accountFields = { name, organizationName, contactEmail, syncIntervalSeconds, redirectUrl };

/** Addresses to send people back to that an account can have; the database counts them. */
export const mostRedirectUrls = 50;

/** Whether a change failed because it would have left too many of them. */
export function hasTooManyRedirects(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'accounts_redirect_urls_check';
}

/** An address as it may stand in the list, to be taken from it. */
export function spellRedirect(given: string): string {
  return normalizeRedirect(given) ?? given;
}

function within(text: string, most: number): string | null {
  return text.length >= 1 && text.length <= most ? text : null;
}
