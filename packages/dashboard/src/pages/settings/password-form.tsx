import { useState, type ReactNode } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { OwnUsername } from '../../authenticator/own-username.tsx';
import { isWrongPassword } from './wrong-password.ts';

export interface PasswordFormProps {
  /** What will happen. */
  children: ReactNode;
  action: string;
  danger?: boolean;
  error: unknown;
  /** What stays unchanged on failure. */
  failed: string;
  isPending: boolean;
  onSubmit: (password: string) => void;
  onClose: () => void;
}

/** Asks for the password again before credentials change. */
export function PasswordForm(props: PasswordFormProps) {
  const { children, action, danger, error, failed, isPending, onSubmit, onClose } = props;
  const [password, setPassword] = useState('');
  const isWrong = isWrongPassword(error);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(password);
      }}
    >
      <OwnUsername />
      <p className="modal-text">{children}</p>
      <Field
        label="Your password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={isWrong ? 'Incorrect password.' : null}
        isRequired
        autoFocus
      />
      {Boolean(error) && !isWrong && <ErrorBox error={error} title={failed} />}
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind={danger ? 'danger' : 'primary'}
          type="submit"
          isDisabled={password === ''}
          isPending={isPending}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
