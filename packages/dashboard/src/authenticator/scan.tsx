import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmAuthenticator } from '../api/sign-in.ts';
import { CopyButton } from '../components/copy.tsx';
import { Notice } from '../components/feedback.tsx';
import { CodeField } from './code-field.tsx';
import { sayRefusal } from '../api/say-refusal.ts';
import { QrCode } from './qr-code.tsx';
import './authenticator.css';

/** The secret for the app, as a picture and as text, and the code that proves that it has arrived there. */
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
      <QrCode text={uri} label="The secret as a QR code; it also stands here as text" />
      <div className="stack">
        <p className="modal-text">
          Scan this with an authenticator app, then enter the six digits that it shows. From your next sign-in
          on both are asked for.
        </p>
        <p className="row">
          <span>Or type</span>
          <code>{secret}</code>
          <CopyButton text={secret} label="Copy the secret" />
        </p>
        {send.error && (
          <Notice tone="bad" live>
            {sayRefusal(send.error, 'This code does not fit. Check that the clock of your phone is right.')}
          </Notice>
        )}
        <CodeField
          value={code}
          onChange={setCode}
          onComplete={(digits) => send.mutate(digits)}
          isPending={send.isPending}
          action="Turn it on"
        />
      </div>
    </div>
  );
}
