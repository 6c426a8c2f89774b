import type { Lab } from './lab-type.ts';

/** The text that the command prints at startup: URLs, credentials and a first request to try. */
export function renderGreeting(
  { url, providers, apps }: Pick<Lab, 'url' | 'providers' | 'apps'>,
  json: boolean,
): string {
  const places = providers.map(({ id, name }) => ({ id, name, url: `${url}/${id}` }));
  const keys = apps.map(({ clientId, clientSecret, redirectUris }) => ({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: redirectUris,
  }));
  if (json) return `${JSON.stringify({ url, providers: places, apps: keys })}\n`;
  const width = Math.max(0, ...places.map(({ name }) => name.length));
  return [
    `The lab is running at ${url}. Press Ctrl-C to stop it.`,
    '',
    ...places.map(({ name, url: place }) => `  ${name.padEnd(width)}  ${place}`),
    '',
    ...keys.flatMap((key) => [
      `  client id      ${key.client_id}`,
      `  client secret  ${key.client_secret}`,
      `  redirect URI   ${key.redirect_uris.join(', ')}`,
    ]),
    '',
    `Try it:  curl -s ${url}/lab/status`,
    '',
  ].join('\n');
}
