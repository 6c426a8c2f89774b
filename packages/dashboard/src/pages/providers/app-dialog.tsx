import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { fieldProblem } from '../../api/field-problem.ts';
import { setProviderApp } from '../../api/providers.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Field } from '../../components/field.tsx';
import { Modal } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import type { AppCardProps } from './app-card.tsx';

/** Takes the credentials. What is there is replaced as a whole, for every node at once. */
export function AppDialog({ row, app, onClose }: Omit<AppCardProps, 'mayChange'> & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [clientId, setClientId] = useState(app.client_id ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [settings, setSettings] = useState<Record<string, string>>({});
  const [force, setForce] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const given = Object.entries(settings).filter(([, value]) => value.trim() !== '');
      return setProviderApp(row.provider, {
        client_id: clientId.trim(),
        client_secret: clientSecret,
        ...(given.length > 0 && { settings: Object.fromEntries(given) }),
        ...(force && { force }),
      });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['provider-rows'] });
      toast(`${row.name} can be connected`);
      onClose();
    },
  });
  const asksForce = needsForce(save.error);
  return (
    <Modal title={`Credentials of ${row.name}`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field
          label="Client id"
          value={clientId}
          onChange={setClientId}
          error={fieldProblem(save.error, 'client_id')}
          autoComplete="off"
          spellCheck="false"
          isRequired
          autoFocus
        />
        <Field
          label="Client secret"
          help="Sealed at once; nobody can read it again"
          type="password"
          value={clientSecret}
          onChange={setClientSecret}
          error={fieldProblem(save.error, 'client_secret')}
          autoComplete="off"
          isRequired
        />
        {app.settings.map(({ name, about }) => (
          <Field
            key={name}
            label={name}
            help={about}
            value={settings[name] ?? ''}
            onChange={(value) => setSettings({ ...settings, [name]: value })}
            autoComplete="off"
            spellCheck="false"
          />
        ))}
        {save.error && <ErrorBox error={save.error} title="Nothing was changed." />}
        {(asksForce || force) && (
          <Checkbox isSelected={force} onChange={setForce}>
            Replace it nevertheless
          </Checkbox>
        )}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={clientId.trim() === '' || clientSecret === ''}
            isPending={save.isPending}
          >
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** The server says what stands against it, and that it may be forced. */
export function needsForce(error: unknown): boolean {
  return error instanceof ApiFailure && error.message.includes('`force`');
}
