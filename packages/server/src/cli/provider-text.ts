import type { OperatedProvider } from '../services/providers/list-apps.ts';
import type { table } from './command.ts';

/** What is to be done after an application was set. */
export function addedText(provider: OperatedProvider): string {
  const missing = provider.settings.filter(({ isSet }) => !isSet);
  return [
    `${provider.name} is configured with client id ${provider.clientId}. Register there:`,
    `  callback  ${provider.callbackUrl}`,
    ...(provider.pushUrl === null ? [] : [`  pushes    ${provider.pushUrl}`]),
    ...missing.map(
      ({ name, about }) =>
        `Not set: ${name} (${about}). If it is needed, run this again with --setting ${name}=… or --setting-file ${name}=<path> added.`,
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
    `People come back to  ${callback}`,
    ...all.flatMap(({ id, status, pushUrl, sandboxPushUrl, settings }) => [
      ...(pushUrl === null ? [] : [`${id} pushes to  ${pushUrl}`]),
      ...(sandboxPushUrl === null ? [] : [`${id} pushes in the sandbox to  ${sandboxPushUrl}`]),
      ...(status === 'unreadable'
        ? [`${id} was sealed with a key that ENCRYPTION_KEYS lacks: bring it back, or set ${id} again`]
        : []),
      ...settings.map(
        ({ name, about, isSet }) => `${id} takes ${name}: ${about}${isSet ? ' (set)' : ' (not set)'}`,
      ),
    ]),
  ].join('\n');
}
