import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { refusalMessage } from '../api/client/refusal-message.ts';
import { confirmIdentity } from '../api/security.ts';
import { sessionQuery } from '../api/session.ts';
import { Button } from '../components/controls/button.tsx';
import { Field } from '../components/controls/field.tsx';
import { Notice } from '../components/feedback/feedback.tsx';
import { Modal } from '../components/overlays/modal.tsx';
import { CodeField } from './code-field.tsx';
import { OwnUsername } from './own-username.tsx';

export interface ConfirmIdentityProps {
  /** What happens afterwards: "Creating a live key". */
  act: string;
  onConfirmed: () => void;
  onClose: () => void;
}

/** Asks for a code or the password before an act that outlasts the session. */
export function ConfirmIdentity({ act, onConfirmed, onClose }: ConfirmIdentityProps) {
  const { operator } = useSuspenseQuery(sessionQuery).data;
  const [usesCode, setUsesCode] = useState(operator.two_factor);
  const [secret, setSecret] = useState('');
  const send = useMutation({
    mutationFn: confirmIdentity,
    onSuccess: onConfirmed,
    onError: () => setSecret(''),
  });
  return (
    <Modal title="Confirm that it is you" isOpen onClose={onClose}>
      <div className="stack">
        <p className="modal-text">
          {act} needs {usesCode ? 'a code from your authenticator app' : 'your password'}. The confirmation
          lasts five minutes.
        </p>
        {send.error && (
          <Notice tone="bad" live>
            {refusalMessage(
              send.error,
              usesCode
                ? 'Incorrect code. Codes change every 30 seconds, and each works once.'
                : 'Incorrect password.',
            )}
          </Notice>
        )}
        {usesCode ? (
          <CodeField
            value={secret}
            onChange={setSecret}
            onComplete={(code) => send.mutate({ code })}
            isPending={send.isPending}
            action="Confirm"
          />
        ) : (
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (!send.isPending) send.mutate({ password: secret });
            }}
          >
            <OwnUsername />
            <Field
              label="Your password"
              type="password"
              autoComplete="current-password"
              value={secret}
              onChange={setSecret}
              isRequired
              autoFocus
            />
            <Button kind="primary" type="submit" wide isDisabled={secret === ''} isPending={send.isPending}>
              Confirm
            </Button>
          </form>
        )}
        {operator.two_factor && (
          <Button
            kind="link"
            onPress={() => {
              setUsesCode(!usesCode);
              setSecret('');
              send.reset();
            }}
          >
            {usesCode ? 'Use your password' : 'Use a code'}
          </Button>
        )}
      </div>
    </Modal>
  );
}
