/** An authorization URL with its query. */
export function authorizeUrl(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** The header of a client that uses HTTP Basic authentication. */
export function basicHeader({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
