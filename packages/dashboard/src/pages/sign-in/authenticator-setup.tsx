import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { startAuthenticator } from '../../api/sign-in.ts';
import { BackupCodes } from '../../authenticator/backup-codes.tsx';
import { Scan } from '../../authenticator/scan.tsx';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { AuthFrame } from './auth-frame.tsx';

export interface AuthenticatorSetupProps {
  password: string;
  onDone: () => void;
  onSkip: () => void;
  /** What the link says that skips it. */
  skip?: string;
}

/** Sets up an authenticator app: scan, verify a code, save the backup codes. */
export function AuthenticatorSetup({
  password,
  onDone,
  onSkip,
  skip = 'Set up later',
}: AuthenticatorSetupProps) {
  const [proven, setProven] = useState(false);
  // Each request creates another secret, so this runs only once.
  const secret = useQuery({
    queryKey: ['authenticator'],
    queryFn: () => startAuthenticator(password),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
  if (secret.error)
    return (
      <AuthFrame title="Add an authenticator">
        <ErrorBox error={secret.error} title="Could not start setup." onRetry={() => void secret.refetch()} />
        <Button kind="link" onPress={onSkip}>
          {skip}
        </Button>
      </AuthFrame>
    );
  if (!secret.data)
    return (
      <AuthFrame title="Add an authenticator">
        <Skeleton heights={[20, 200, 40]} />
      </AuthFrame>
    );
  if (proven)
    return (
      <AuthFrame title="Store your backup codes">
        <BackupCodes codes={secret.data.backup_codes} action="Go to dashboard" onDone={onDone} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Add an authenticator">
      <Scan uri={secret.data.uri} onProven={() => setProven(true)} />
      <div className="auth-links">
        <Button kind="link" onPress={onSkip}>
          {skip}
        </Button>
      </div>
    </AuthFrame>
  );
}
