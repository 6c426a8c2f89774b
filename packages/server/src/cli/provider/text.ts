import type { OperatedProvider } from '../../services/providers/list-apps.ts';
import type { table } from '../command.ts';

/** Next steps after a provider app was set. */
export function addedText(provider: OperatedProvider): string {
  const missing = provider.settings.filter(({ isSet }) => !isSet);
  return [
    `${provider.name} is configured with client id ${provider.clientId}. Register these URLs with the provider:`,
    `  callback  ${provider.callbackUrl}`,
    ...(provider.pushUrl === null ? [] : [`  pushes    ${provider.pushUrl}`]),
    ...missing.map(
      ({ name, about }) =>
        `Not set: ${name} (${about}). If you need it, run this command again and add --setting ${name}=… or --setting-file ${name}=<path>.`,
    ),
  ].join('\n');
}

/** All providers in a table, with what to register below. */
export function listText(all: readonly OperatedProvider[], columns: typeof table): string {
  const rows = all.map((provider) => [
    provider.id,
    provider.status.replace('_', ' '),
    String(provider.connected),
    provider.updatedAt ?? '',
    provider.clientId ?? '',
  ]);
  const callback = all[0]?.callbackUrl ?? '';
  return [
    columns(['PROVIDER', 'STATUS', 'CONNECTED', 'UPDATED', 'CLIENT ID'], rows),
    '',
    `OAuth callback URL  ${callback}`,
    ...all.flatMap(({ id, status, pushUrl, sandboxPushUrl, settings }) => [
      ...(pushUrl === null ? [] : [`${id} push URL  ${pushUrl}`]),
      ...(sandboxPushUrl === null ? [] : [`${id} sandbox push URL  ${sandboxPushUrl}`]),
      ...(status === 'unreadable'
        ? [
            `${id} is encrypted with a key that ENCRYPTION_KEYS does not contain: restore the key, or set ${id} again`,
          ]
        : []),
      ...settings.map(
        ({ name, about, isSet }) => `${id} setting ${name}: ${about}${isSet ? ' (set)' : ' (not set)'}`,
      ),
    ]),
  ].join('\n');
}
