import type { AccountSettingsWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldProblem } from '../../api/client/field-problem.ts';
import { useRefusal } from '../../api/role.ts';
import { sessionQuery } from '../../api/session.ts';
import { changeSettings, settingsQuery } from '../../api/settings.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Card } from '../../components/page.tsx';
import { Select } from '../../components/controls/select.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { changesOf, draftOf, intervalOptions } from './account-draft.ts';
import { CommandLine } from './command-line.tsx';

const forms = [
  { value: '1', label: 'Form 1' },
  { value: '2', label: 'Form 2' },
] as const;

/** Account name, public details and the default response form. */
export function AccountCard({ settings }: { settings: AccountSettingsWire }) {
  const queryClient = useQueryClient();
  const reason = useRefusal('owner', 'change settings');
  const [draft, setDraft] = useState(() => draftOf(settings));
  const save = useMutation({
    mutationFn: changeSettings,
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      setDraft(draftOf(saved));
      toast('Settings saved');
    },
  });
  const changes = changesOf(settings, draft);
  const isSame = Object.keys(changes).length === 0;
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const problem = (name: string) => fieldProblem(save.error, name);
  const isKnown = ['name', 'organization_name', 'contact_email'].some((name) => problem(name) !== null);
  return (
    <Card title="Account" actions={<CommandLine settings={settings} draft={draft} />}>
      <form
        noValidate
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame && !reason) save.mutate(changes);
        }}
      >
        <Field
          label="Name"
          help="Shown to colleagues in this dashboard"
          value={draft.name}
          onChange={(name) => set({ name })}
          error={problem('name')}
          maxLength={200}
          isRequired
          isDisabled={Boolean(reason)}
        />
        <Field
          label="Organization"
          help="Shown to users when they connect a device or receive an invitation"
          value={draft.organization}
          onChange={(organization) => set({ organization })}
          error={problem('organization_name')}
          isDisabled={Boolean(reason)}
        />
        <Field
          label="Contact email"
          help="Where these users can reach you"
          type="email"
          value={draft.contact}
          onChange={(contact) => set({ contact })}
          error={problem('contact_email')}
          isDisabled={Boolean(reason)}
        />
        <Select
          label="Default form"
          help="Response format when a request does not specify one"
          options={forms}
          value={draft.form}
          onChange={(form) => set({ form })}
          isDisabled={Boolean(reason)}
        />
        <Select
          label="Upload interval"
          help="How often apps with the Mobile SDK upload their data"
          options={intervalOptions(settings.sync_interval_seconds)}
          value={draft.interval}
          onChange={(interval) => set({ interval })}
          isDisabled={Boolean(reason)}
        />
        {save.error && !isKnown && <ErrorBox error={save.error} title="Settings not saved." />}
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            reason={reason}
            isDisabled={isSame || draft.name.trim() === ''}
            isPending={save.isPending}
          >
            Save changes
          </Button>
          {!isSame && (
            <Button kind="ghost" onPress={() => setDraft(draftOf(settings))}>
              Discard changes
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
