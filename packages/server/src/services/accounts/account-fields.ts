import { isMailAddress } from '../../mail/mail-address.ts';
import { normalizeRedirect } from '../connections/allowed-redirect.ts';

/** An account setting: how to parse the input, and the message for input that cannot be parsed. */
interface Field<Given, Kept = Given> {
  /** Returns null for invalid input. */
  read: (input: Given) => Kept | null;
  rule: string;
}

const name: Field<string> = {
  read: (input) => within(input.trim(), 200),
  rule: 'must have 1 to 200 characters',
};

const organizationName: Field<string> = {
  read: (input) => (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(input.trim()) ? null : within(input.trim(), 100)),
  rule: 'must have 1 to 100 characters on one line',
};

const contactEmail: Field<string> = {
  read: (input) => (isMailAddress(input.trim()) ? input.trim() : null),
  rule: 'must be an email address such as team@example.org',
};

const syncIntervalSeconds: Field<number> = {
  read: (input) => (Number.isInteger(input) && input >= 60 && input <= 86_400 ? input : null),
  rule: 'must be a whole number of seconds from 60 to 86400',
};

/** Normalized, because URLs are compared in this form later. The result is appended as a query, so an entry has no query of its own. */
const redirectUrl: Field<string> = {
  read: (input) => {
    const url = normalizeRedirect(input);
    return url === null || url.length > 2000 || /[?#]/.test(url) ? null : url;
  },
  rule: 'must be a URL such as https://app.example.com/connected or myapp://connected, without a query, fragment, user or password',
};

export const accountFields = { name, organizationName, contactEmail, syncIntervalSeconds, redirectUrl };

/** The maximum number of redirect URLs of an account. A database constraint enforces it. */
export const mostRedirectUrls = 50;

/** Returns whether a change failed because the account would have too many redirect URLs. */
export function hasTooManyRedirects(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'accounts_redirect_urls_check';
}

/** Normalizes a URL so that it can be found in the list and removed. Returns invalid input unchanged. */
export function spellRedirect(input: string): string {
  return normalizeRedirect(input) ?? input;
}

function within(text: string, most: number): string | null {
  return text.length >= 1 && text.length <= most ? text : null;
}
