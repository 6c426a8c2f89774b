import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmAuthenticator } from '../api/sign-in.ts';
import { CopyButton } from '../components/feedback/copy.tsx';
import { Notice } from '../components/feedback/feedback.tsx';
import { CodeField } from './code-field.tsx';
import { refusalMessage } from '../api/client/refusal-message.ts';
import { QrCode } from './qr-code.tsx';
import './authenticator.css';

/** Shows the secret for the authenticator app as a QR code and as text, and asks for a code to confirm it. */
export function Scan({ uri, onProven }: { uri: string; onProven: () => void }) {
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: confirmAuthenticator,
    onSuccess: onProven,
    onError: () => setCode(''),
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <div className="scan">
      <QrCode text={uri} label="QR code with the secret, also shown as text" />
      <div className="stack">
        <p className="modal-text">
          Scan this code with an authenticator app, then enter the six-digit code it shows. From your next
          sign-in on, you need both your password and a code.
        </p>
        <p className="modal-text">Or enter</p>
        <p className="row">
          <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          <CopyButton text={secret} label="Copy secret" />
        </p>
        {send.error && (
          <Notice tone="bad" live>
            {refusalMessage(send.error, "Incorrect code. Check that your phone's clock is correct.")}
          </Notice>
        )}
        <CodeField
          value={code}
          onChange={setCode}
          onComplete={(digits) => send.mutate(digits)}
          isPending={send.isPending}
          action="Turn on authenticator"
        />
      </div>
    </div>
  );
}
