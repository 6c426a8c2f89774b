import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { forgotPassword } from '../../api/sign-in.ts';
import { Button } from '../../components/controls/button.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { refusalMessage } from '../../api/client/refusal-message.ts';

/** Shows the same message whether or not an account with the address exists. */
export function ForgotPage() {
  const [email, setEmail] = useState('');
  const send = useMutation({ mutationFn: forgotPassword });
  if (send.isSuccess)
    return (
      <AuthFrame title="Check your email">
        <p>
          If <b>{email}</b> can sign in here, we sent a link to choose a new password. The link works once.
        </p>
        <div className="auth-links">
          <Link to="/sign-in">Back to sign-in</Link>
        </div>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Choose a new password">
      <p>We will email you a link. Your authenticator does not change.</p>
      {send.error && (
        <Notice tone="bad" live>
          {refusalMessage(send.error, 'Enter a valid email address.')}
        </Notice>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(email);
        }}
      >
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        <Button kind="primary" type="submit" wide isPending={send.isPending}>
          Send link
        </Button>
      </form>
      <div className="auth-links">
        <Link to="/sign-in">Back to sign-in</Link>
      </div>
    </AuthFrame>
  );
}
