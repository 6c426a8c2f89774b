import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { forgotPassword } from '../../api/sign-in.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/feedback.tsx';
import { Field } from '../../components/field.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { sayRefusal } from '../../api/say-refusal.ts';

/** Says the same whether or not somebody works here under that address. */
export function ForgotPage() {
  const [email, setEmail] = useState('');
  const send = useMutation({ mutationFn: forgotPassword });
  if (send.isSuccess)
    return (
      <AuthFrame title="Look into your mail">
        <p>
          If somebody works here as <b>{email}</b>, a link to choose a new password is on its way. It works
          once.
        </p>
        <div className="auth-links">
          <Link to="/sign-in">Back to sign-in</Link>
        </div>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Choose a new password">
      <p>We send you a link. Your authenticator stays as it is.</p>
      {send.error && (
        <Notice tone="bad" live>
          {sayRefusal(send.error, 'This is not an e-mail address.')}
        </Notice>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(email);
        }}
      >
        <Field
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        <Button kind="primary" type="submit" wide isPending={send.isPending}>
          Send the link
        </Button>
      </form>
      <div className="auth-links">
        <Link to="/sign-in">Back to sign-in</Link>
      </div>
    </AuthFrame>
  );
}
