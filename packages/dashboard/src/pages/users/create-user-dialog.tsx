import type { CreateUserWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { curlOf } from '../../api/client/curl.ts';
import { createUser } from '../../api/users.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';

type Archetype = NonNullable<NonNullable<CreateUserWire['sandbox']>['archetype']>;

const archetypes: readonly { value: Archetype; label: string }[] = [
  { value: 'office_worker', label: 'Office worker' },
  { value: 'athlete', label: 'Athlete' },
  { value: 'shift_worker', label: 'Shift worker' },
  { value: 'poor_sleeper', label: 'Poor sleeper' },
  { value: 'sedentary', label: 'Sedentary' },
  { value: 'older_adult', label: 'Older adult' },
  { value: 'illness', label: 'Falls ill' },
  { value: 'none', label: 'No data' },
];

/** Creates a user with one API request, which is shown while the form is filled in. */
export function CreateUserDialog({
  environment,
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const archetypeId = useId();
  const [reference, setReference] = useState('');
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [archetype, setArchetype] = useState<Archetype>('office_worker');
  const body: CreateUserWire = {
    reference_id: reference.trim() || 'customer-1042',
    ...(timezone.trim() !== '' && { timezone: timezone.trim() }),
    ...(environment === 'sandbox' && { sandbox: { archetype } }),
  };
  const create = useMutation({
    mutationFn: () => createUser(environment, body),
    onSuccess: async ({ id, reference_id }) => {
      // The list reloads when it is shown again.
      await queryClient.invalidateQueries({ queryKey: ['users', environment], refetchType: 'none' });
      toast(`Created ${reference_id}`);
      await navigate({ to: '/$environment/users/$userId', params: { environment, userId: id } });
    },
  });
  return (
    <Modal title="Create user" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (reference.trim() !== '') create.mutate();
        }}
      >
        <Field
          label="Reference"
          help="Your own identifier for the user. Do not use a name or an address."
          placeholder="customer-1042"
          value={reference}
          onChange={setReference}
          autoComplete="off"
          spellCheck="false"
          autoFocus
        />
        <Field
          label="Time zone"
          help="Sets when the user's days begin and end. UTC if empty."
          placeholder="Europe/Berlin"
          value={timezone}
          onChange={setTimezone}
          autoComplete="off"
          spellCheck="false"
        />
        {environment === 'sandbox' && (
          <div className="field">
            <label htmlFor={archetypeId}>Simulated profile</label>
            <select
              id={archetypeId}
              className="input"
              value={archetype}
              onChange={(event) => setArchetype(event.target.value as Archetype)}
            >
              {archetypes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        <CodeBlock
          text={curlOf({ method: 'POST', path: '/v1/users', body }, location.origin)}
          label="Command"
        />
        {create.error && <ErrorBox error={create.error} title="No user was created." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={reference.trim() === ''}
            isPending={create.isPending}
          >
            Create user
          </Button>
        </div>
      </form>
    </Modal>
  );
}
