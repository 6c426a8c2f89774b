import type { OperatorLinkWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { isFailure } from '../../api/client/failure.ts';
import { join, openLink } from '../../api/sign-in.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox, Notice, Skeleton } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { shortDay } from '../../words/time.ts';
import { AuthFrame } from './auth-frame.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { useFragmentToken } from './fragment-token.ts';
import { NewPassword, leastPasswordLength } from './new-password.tsx';
import { refusalMessage } from '../../api/client/refusal-message.ts';

/** Joining as the first owner or an invited colleague: name, password, then the authenticator. */
export function JoinPage() {
  const token = useFragmentToken();
  const [password, setPassword] = useState<string | null>(null);
  const router = useRouter();
  const queryClient = useQueryClient();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => openLink(token),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== '',
    retry: false,
  });
  function enter() {
    queryClient.clear();
    void router.navigate({ to: '/' });
  }
  if (password !== null) return <AuthenticatorSetup password={password} onDone={enter} onSkip={enter} />;
  if (token === '' || isFailure(invitation.error, 404)) return <Ended />;
  if (invitation.error)
    return (
      <AuthFrame title="Could not open the invitation">
        <ErrorBox error={invitation.error} title="" onRetry={() => void invitation.refetch()} />
      </AuthFrame>
    );
  if (!invitation.data)
    return (
      <AuthFrame title="Opening invitation">
        <Skeleton heights={[20, 40, 40, 40]} />
      </AuthFrame>
    );
  if (invitation.data.kind === 'password') return <Ended />;
  return <JoinForm token={token} invitation={invitation.data} onJoined={setPassword} />;
}

function Ended() {
  return (
    <AuthFrame title="This invitation is no longer valid">
      <p>It was already used, was revoked, or has expired. Ask the person who invited you for a new one.</p>
      <div className="auth-links">
        <Link to="/sign-in">Sign in instead</Link>
      </div>
    </AuthFrame>
  );
}

interface JoinFormProps {
  token: string;
  invitation: OperatorLinkWire;
  /** Receives the password, which setting up the authenticator requires again. */
  onJoined: (password: string) => void;
}

const roleWords = {
  owner: 'Owner: full access, including the team',
  developer: 'Developer: everything except team and settings',
  viewer: 'Viewer: read-only',
} as const;

function JoinForm({ token, invitation, onJoined }: JoinFormProps) {
  const isOwner = invitation.kind === 'owner' && invitation.role === 'owner';
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: join,
    onSuccess: () => onJoined(password),
  });
  return (
    <AuthFrame
      title={isOwner ? `Become owner of ${invitation.account.name}` : `Join ${invitation.account.name}`}
    >
      {isOwner ? (
        <p>You get full access to {invitation.account.name} and can invite others.</p>
      ) : (
        <dl className="auth-facts">
          <dt>Invited by</dt>
          <dd>{invitation.invited_by ?? 'The operator'}</dd>
          <dt>Role</dt>
          <dd>{roleWords[invitation.role ?? 'viewer']}</dd>
          {invitation.email !== null && (
            <>
              <dt>Email</dt>
              <dd>{invitation.email}</dd>
            </>
          )}
          <dt>Expires</dt>
          <dd>{shortDay(invitation.expires_at)}</dd>
        </dl>
      )}
      {send.error && (
        <Notice tone="bad" live>
          {refusalMessage(send.error, send.error.message)}
        </Notice>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate({ token, name: name.trim(), password, ...(invitation.email === null && { email }) });
        }}
      >
        <Field label="Your name" autoComplete="name" value={name} onChange={setName} isRequired autoFocus />
        {invitation.email === null && (
          <Field
            label="Email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            isRequired
          />
        )}
        <NewPassword value={password} onChange={setPassword} />
        <Button
          kind="primary"
          type="submit"
          wide
          isDisabled={name.trim() === '' || password.length < leastPasswordLength}
          isPending={send.isPending}
        >
          {isOwner ? 'Become owner' : 'Join'}
        </Button>
      </form>
    </AuthFrame>
  );
}
