import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Card } from '../../components/page.tsx';
import { AddAuthenticator } from './add-authenticator.tsx';
import { RemoveAuthenticator } from './remove-authenticator.tsx';
import { RenewCodes } from './renew-codes.tsx';

export function AuthenticatorCard() {
  const { operator } = useSuspenseQuery(sessionQuery).data;
  const [asked, setAsked] = useState<'add' | 'renew' | 'remove' | null>(null);
  const close = () => setAsked(null);
  return (
    <Card
      title="Authenticator"
      note="After your password, sign-in asks for a six-digit code from an app on your phone."
      actions={operator.two_factor ? <State>On</State> : <Badge tone="warn">Off</Badge>}
    >
      <div className="row">
        {operator.two_factor ? (
          <>
            <Button onPress={() => setAsked('renew')}>Replace backup codes</Button>
            <Button kind="danger" onPress={() => setAsked('remove')}>
              Remove authenticator
            </Button>
          </>
        ) : (
          <Button onPress={() => setAsked('add')}>Add authenticator</Button>
        )}
      </div>
      {asked === 'add' && <AddAuthenticator onClose={close} />}
      {asked === 'renew' && <RenewCodes onClose={close} />}
      {asked === 'remove' && <RemoveAuthenticator onClose={close} />}
    </Card>
  );
}
