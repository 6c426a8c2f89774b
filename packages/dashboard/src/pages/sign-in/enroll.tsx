import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { signOut } from '../../api/sign-in.ts';
import { OwnUsername } from '../../authenticator/own-username.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Skeleton } from '../../components/feedback/feedback.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';

/** The only page of colleagues who have to add an authenticator first, because their account requires it. */
export function EnrollPage() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const session = useQuery(sessionQuery);
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState<string | null>(null);
  async function leave(to: '/' | '/sign-in') {
    if (to === '/sign-in') await signOut();
    queryClient.clear();
    await router.navigate({ to });
  }
  if (password !== null)
    return (
      <AuthenticatorSetup
        password={password}
        onDone={() => void leave('/')}
        onSkip={() => setPassword(null)}
        skip="Enter another password"
      />
    );
  if (!session.data)
    return (
      <AuthFrame title="Add an authenticator">
        <Skeleton heights={[20, 40, 40]} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Add an authenticator">
      <p>
        {session.data.account.name} requires a code from an authenticator app at sign-in. Have the app ready,
        and enter your password to start.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setPassword(typed);
        }}
      >
        <OwnUsername />
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          value={typed}
          onChange={setTyped}
          isRequired
          autoFocus
        />
        <Button kind="primary" type="submit" wide isDisabled={typed === ''}>
          Continue
        </Button>
      </form>
      <div className="auth-links">
        <Button kind="link" onPress={() => void leave('/sign-in')}>
          Sign out
        </Button>
      </div>
    </AuthFrame>
  );
}
