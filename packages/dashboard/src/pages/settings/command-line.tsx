import { useSuspenseQuery } from '@tanstack/react-query';
import type { AccountSettingsWire } from '@tributary/contract';
import { sessionQuery } from '../../api/session.ts';
import { Command } from '../../components/command.tsx';
import { changesOf, commandOf, type AccountDraft } from './account-draft.ts';

/** Settings are no part of the public API: the same is done at the command line of the service. */
export function CommandLine({ settings, draft }: { settings: AccountSettingsWire; draft: AccountDraft }) {
  const { account } = useSuspenseQuery(sessionQuery).data;
  const changes = changesOf(settings, draft);
  const shown =
    Object.keys(changes).length > 0 ? changes : { name: settings.name, default_form: settings.default_form };
  return (
    <Command
      small
      label="Command"
      title="The same where the service runs"
      text={commandOf(account.id, shown)}
    />
  );
}
