import type { KeyRowWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../api/client.ts';
import { createKey, keysQuery } from '../../api/keys.ts';
import { Button } from '../../components/button.tsx';
import { ErrorBox, Notice } from '../../components/feedback.tsx';
import { Field } from '../../components/field.tsx';
import { Modal } from '../../components/modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { relativeTime } from '../../words/time.ts';
import { environmentNames, shortKey } from './key-text.ts';

export interface RotateDialogProps {
  environment: Environment;
  /** The key that ends with it. */
  current: KeyRowWire | null;
  onClose: () => void;
}

/** Makes a key, the first or the next, and shows it once. */
export function RotateDialog({ environment, current, onClose }: RotateDialogProps) {
  const queryClient = useQueryClient();
  // The key that ends is the one that was there when this was opened, also after the list was read again.
  const [old] = useState(current);
  const [typed, setTyped] = useState('');
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const name = environmentNames[environment];
  if (create.data)
    return (
      <Modal title={`The new ${environment} key`} isOpen mustAnswer onClose={onClose}>
        <SecretOnce
          secret={create.data.key}
          label="Key"
          file={{ name: '.env', text: `TRIBUTARY_KEY=${create.data.key}\n` }}
          onDone={onClose}
        />
      </Modal>
    );
  const asksName = old !== null && environment === 'live';
  return (
    <Modal
      title={old ? `Rotate the ${environment} key` : `Create the ${environment} key`}
      isOpen
      onClose={onClose}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!asksName || typed.trim() === name) create.mutate(environment);
        }}
      >
        {old ? (
          <Notice tone="warn" title={`${shortKey(old)} ends within a second.`}>
            {old.last_used_at
              ? `It was last used ${relativeTime(old.last_used_at)}${old.last_used_address ? ` from ${old.last_used_address}` : ''}; whoever uses it gets 401 until the new one is in place.`
              : 'It was never used.'}
          </Notice>
        ) : (
          <p className="modal-text">The key is shown once. Have a safe place for it ready.</p>
        )}
        {asksName && (
          <Field
            label={`Type ${name} to confirm`}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            spellCheck="false"
            autoFocus
          />
        )}
        {create.error && <ErrorBox error={create.error} title="No key was made." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={asksName && typed.trim() !== name}
            isPending={create.isPending}
          >
            {old ? 'Rotate' : 'Create'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
