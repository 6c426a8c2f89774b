import type { KeyRowWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { createKey, keysQuery } from '../../api/keys.ts';
import { needsConfirmation } from '../../api/confirmation.ts';
import { ConfirmIdentity } from '../../authenticator/confirm-identity.tsx';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox, Notice } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { SecretOnce } from '../../components/feedback/secret-once.tsx';
import { relativeTime } from '../../words/time.ts';
import { environmentNames, shortKey } from './key-text.ts';

export interface RotateDialogProps {
  environment: Environment;
  /** The key that this one replaces. */
  current: KeyRowWire | null;
  onClose: () => void;
}

/** Creates the first or next key and shows it once. */
export function RotateDialog({ environment, current, onClose }: RotateDialogProps) {
  const queryClient = useQueryClient();
  // Keeps the key that was active when the dialog opened, even after the list reloads.
  const [old] = useState(current);
  const [typed, setTyped] = useState('');
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const name = environmentNames[environment];
  if (create.data)
    return (
      <Modal title={`New ${environment} key`} isOpen requiresChoice onClose={onClose}>
        <SecretOnce
          secret={create.data.key}
          label="Key"
          file={{ name: '.env', text: `TRIBUTARY_KEY=${create.data.key}\n` }}
          onDone={onClose}
        />
      </Modal>
    );
  if (needsConfirmation(create.error))
    return (
      <ConfirmIdentity
        act={old ? 'Rotating a live key' : 'Creating a live key'}
        onConfirmed={() => create.mutate(environment)}
        onClose={onClose}
      />
    );
  const requiresName = old !== null && environment === 'live';
  return (
    <Modal title={old ? `Rotate ${environment} key` : `Create ${environment} key`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!requiresName || typed.trim() === name) create.mutate(environment);
        }}
      >
        {old ? (
          <Notice tone="warn" title={`${shortKey(old)} stops working within a second.`}>
            {old.last_used_at
              ? `It was last used ${relativeTime(old.last_used_at)}${old.last_used_address ? ` from ${old.last_used_address}` : ''}. Clients that use it get 401 until you deploy the new key.`
              : 'It was never used.'}
          </Notice>
        ) : (
          <p className="modal-text">
            The key is shown once, and only its hash is stored. Have a safe place ready for it.
          </p>
        )}
        {requiresName && (
          <Field
            label={`Type ${name} to confirm`}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            spellCheck="false"
            autoFocus
          />
        )}
        {create.error && <ErrorBox error={create.error} title="No key was created." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={requiresName && typed.trim() !== name}
            isPending={create.isPending}
          >
            {old ? 'Rotate key' : 'Create key'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
