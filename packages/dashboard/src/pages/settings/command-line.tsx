import { useSuspenseQuery } from '@tanstack/react-query';
import type { AccountSettingsWire } from '@tributary/contract';
import { sessionQuery } from '../../api/session.ts';
import { Command } from '../../components/overlays/command.tsx';
import { changesOf, commandOf, type AccountDraft } from './account-draft.ts';

/** Settings are not in the public API, so this shows the equivalent command. */
export function CommandLine({ settings, draft }: { settings: AccountSettingsWire; draft: AccountDraft }) {
  const { account } = useSuspenseQuery(sessionQuery).data;
  const changes = changesOf(settings, draft);
  const shown =
    Object.keys(changes).length > 0 ? changes : { name: settings.name, default_form: settings.default_form };
  return <Command small label="Command" title="Server command" text={commandOf(account.id, shown)} />;
}
