import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signIn, signInWithBackupCode, signInWithCode } from '../../api/sign-in.ts';
import { Button } from '../../components/controls/button.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CodeField } from '../../authenticator/code-field.tsx';
import { refusalMessage } from '../../api/client/refusal-message.ts';

export function SignInPage() {
  const [step, setStep] = useState<'password' | 'code' | 'backup'>('password');
  const enter = useEnter();
  if (step === 'password') return <PasswordStep onCode={() => setStep('code')} onDone={enter} />;
  if (step === 'code')
    return <CodeStep onBackup={() => setStep('backup')} onBack={() => setStep('password')} onDone={enter} />;
  return <BackupStep onCode={() => setStep('code')} onDone={enter} />;
}

/** Returns a function that opens the requested page after sign-in. */
function useEnter(): () => void {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { back } = useSearch({ strict: false });
  return () => {
    queryClient.clear();
    // Only paths of the dashboard are allowed, never other URLs.
    void router.navigate({ to: back && /^\/(?!\/|\\)/.test(back) ? back : '/' });
  };
}

function PasswordStep({ onCode, onDone }: { onCode: () => void; onDone: () => void }) {
  const { reason } = useSearch({ strict: false });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: signIn,
    onSuccess: (response) => (response.two_factor ? onCode() : onDone()),
    onError: () => setPassword(''),
  });
  return (
    <AuthFrame title="Sign in to Tributary">
      {reason === 'idle' && !send.error && (
        <Notice live>You were signed out because you were inactive. Sign in to continue.</Notice>
      )}
      {send.error && (
        <Notice tone="bad" live>
          {refusalMessage(send.error, 'Incorrect email or password.')}
        </Notice>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate({ email, password });
        }}
      >
        <Field
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          isRequired
        />
        <Button kind="primary" type="submit" wide isPending={send.isPending}>
          Continue
        </Button>
      </form>
      <div className="auth-links">
        <Link to="/forgot">Forgot your password?</Link>
      </div>
    </AuthFrame>
  );
}

interface CodeStepProps {
  onBackup: () => void;
  onBack: () => void;
  onDone: () => void;
}

function CodeStep({ onBackup, onBack, onDone }: CodeStepProps) {
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: signInWithCode,
    onSuccess: onDone,
    onError: () => setCode(''),
  });
  return (
    <AuthFrame title="Enter the code">
      <p>Enter the six-digit code that your authenticator app shows for Tributary.</p>
      {send.error && (
        <Notice tone="bad" live>
          {refusalMessage(send.error, 'Incorrect code. Codes change every 30 seconds, and each works once.')}
        </Notice>
      )}
      <CodeField
        value={code}
        onChange={setCode}
        onComplete={(digits) => send.mutate(digits)}
        isPending={send.isPending}
      />
      <div className="auth-links">
        <Button kind="link" onPress={onBackup}>
          Use a backup code
        </Button>
        <Button kind="link" onPress={onBack}>
          Start over
        </Button>
      </div>
    </AuthFrame>
  );
}

function BackupStep({ onCode, onDone }: { onCode: () => void; onDone: () => void }) {
  const [code, setCode] = useState('');
  const send = useMutation({ mutationFn: signInWithBackupCode, onSuccess: onDone });
  return (
    <AuthFrame title="Enter a backup code">
      <p>Use one of the codes you stored when you set up the authenticator. Each works once.</p>
      {send.error && (
        <Notice tone="bad" live>
          {refusalMessage(send.error, 'This code is incorrect or was already used.')}
        </Notice>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(code.trim());
        }}
      >
        <Field
          label="Backup code"
          value={code}
          onChange={setCode}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          isRequired
          autoFocus
        />
        <Button kind="primary" type="submit" wide isPending={send.isPending}>
          Sign in
        </Button>
      </form>
      <div className="auth-links">
        <Button kind="link" onPress={onCode}>
          Use authenticator
        </Button>
      </div>
    </AuthFrame>
  );
}
