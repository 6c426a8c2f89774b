/** Schemes that make a browser do something else than go somewhere. */
const forbidden = new Set(['javascript:', 'data:', 'blob:', 'file:', 'vbscript:', 'about:']);

/** An entry of the list of addresses that people may be sent back to, in its one spelling; null when it cannot be one. */
export function normalizeRedirect(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (forbidden.has(url.protocol) || url.hash !== '' || url.search !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  // An empty query or fragment leaves its sign behind.
  url.search = '';
  url.hash = '';
  return url.href;
}

/** Whether people may be sent there: the address is on the list, whatever its query. */
export function isAllowedRedirect(allowed: readonly string[], redirectUrl: string): boolean {
  if (!URL.canParse(redirectUrl)) return false;
  const url = new URL(redirectUrl);
  if (url.hash !== '') return false;
  url.search = '';
  const bare = normalizeRedirect(url.href);
  return bare !== null && allowed.includes(bare);
}

/** The address that a person is sent back to, with what came of it. */
export function redirectWith(redirectUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}
