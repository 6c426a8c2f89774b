import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '../../api/sign-in.ts';
import { Button } from '../../components/controls/button.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { useFragmentToken } from './fragment-token.ts';
import { NewPassword, leastPasswordLength } from './new-password.tsx';
import { refusalMessage } from '../../api/client/refusal-message.ts';

export function ResetPage() {
  const token = useFragmentToken();
  const [password, setPassword] = useState('');
  const send = useMutation({ mutationFn: resetPassword });
  if (send.isSuccess)
    return (
      <AuthFrame title="Password changed">
        <p>All your sessions have ended, in every browser.</p>
        <Link to="/sign-in" className="button primary">
          Sign in
        </Link>
      </AuthFrame>
    );
  if (token === '')
    return (
      <AuthFrame title="This link is incomplete">
        <p>Open the link in the email again, or request a new one.</p>
        <Link to="/forgot" className="button primary">
          Request new link
        </Link>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Choose a new password">
      {send.error && (
        <Notice tone="bad" live>
          {refusalMessage(send.error, 'This link has expired or was already used.')}{' '}
          <Link to="/forgot">Request a new one</Link>
        </Notice>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate({ token, password });
        }}
      >
        <NewPassword label="New password" value={password} onChange={setPassword} autoFocus />
        <Button
          kind="primary"
          type="submit"
          wide
          isDisabled={password.length < leastPasswordLength}
          isPending={send.isPending}
        >
          Change password
        </Button>
      </form>
    </AuthFrame>
  );
}
