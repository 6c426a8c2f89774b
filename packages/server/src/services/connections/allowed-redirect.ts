/** Schemes that run code or open local content instead of navigating. */
const forbidden = new Set(['javascript:', 'data:', 'blob:', 'file:', 'vbscript:', 'about:']);

/** Normalizes an allowed redirect URL. Returns null if it is not valid as one. */
export function normalizeRedirect(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (forbidden.has(url.protocol) || url.hash !== '' || url.search !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  // An empty query or fragment leaves its `?` or `#` in the URL.
  url.search = '';
  url.hash = '';
  return url.href;
}

/** Returns whether a redirect URL is in the allowed list. Its query is ignored. */
export function isAllowedRedirect(allowed: readonly string[], redirectUrl: string): boolean {
  if (!URL.canParse(redirectUrl)) return false;
  const url = new URL(redirectUrl);
  if (url.hash !== '') return false;
  url.search = '';
  const bare = normalizeRedirect(url.href);
  return bare !== null && allowed.includes(bare);
}

/** The redirect URL with the outcome in its query. */
export function redirectWith(redirectUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}
