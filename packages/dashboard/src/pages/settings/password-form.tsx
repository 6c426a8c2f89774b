import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Field } from '../../components/field.tsx';
import { OwnUsername } from './own-username.tsx';
import { isWrongPassword } from './wrong-password.ts';

export interface PasswordFormProps {
  /** What will happen. */
  children: ReactNode;
  action: string;
  danger?: boolean;
  error: unknown;
  /** What stays as it was when it fails. */
  failed: string;
  isPending: boolean;
  onSubmit: (password: string) => void;
  onClose: () => void;
}

/** Asks for the password once more, before the way in is changed. */
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
        error={isWrong ? 'This is not your password.' : null}
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
