import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/client/failure.ts';
import { fieldProblem } from '../../api/client/field-problem.ts';
import { setProviderApp } from '../../api/providers.ts';
import { Button } from '../../components/controls/button.tsx';
import { Checkbox } from '../../components/controls/checkbox.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import type { AppCardProps } from './app-card-props.ts';

/** Sets the credentials. They replace the existing ones completely, on every node at once. */
export function AppDialog({ row, app, onClose }: Omit<AppCardProps, 'mayChange'> & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [clientId, setClientId] = useState(app.client_id ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [settings, setSettings] = useState<Record<string, string>>({});
  const [force, setForce] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const filledSettings = Object.entries(settings).filter(([, value]) => value.trim() !== '');
      return setProviderApp(row.provider, {
        client_id: clientId.trim(),
        client_secret: clientSecret,
        ...(filledSettings.length > 0 && { settings: Object.fromEntries(filledSettings) }),
        ...(force && { force }),
      });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['provider-rows'] });
      toast(`Credentials saved. Users can connect ${row.name}.`);
      onClose();
    },
  });
  const requiresForce = needsForce(save.error);
  return (
    <Modal title={`${row.name} credentials`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field
          label="Client ID"
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
          help="Encrypted when saved. It cannot be viewed again."
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
        {save.error && <ErrorBox error={save.error} title="Credentials not saved." />}
        {(requiresForce || force) && (
          <Checkbox isSelected={force} onChange={setForce}>
            Replace anyway
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
            Save credentials
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Returns whether the server rejected the change and allows forcing it. */
export function needsForce(error: unknown): boolean {
  return error instanceof ApiFailure && error.message.includes('`force`');
}
