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
  const [dialog, setDialog] = useState<'add' | 'renew' | 'remove' | null>(null);
  const close = () => setDialog(null);
  return (
    <Card
      title="Authenticator"
      note="After your password, sign-in asks for a six-digit code from an app on your phone."
      actions={operator.two_factor ? <State>On</State> : <Badge tone="warn">Off</Badge>}
    >
      <div className="row">
        {operator.two_factor ? (
          <>
            <Button onPress={() => setDialog('renew')}>Replace backup codes</Button>
            <Button kind="danger" onPress={() => setDialog('remove')}>
              Remove authenticator
            </Button>
          </>
        ) : (
          <Button onPress={() => setDialog('add')}>Add authenticator</Button>
        )}
      </div>
      {dialog === 'add' && <AddAuthenticator onClose={close} />}
      {dialog === 'renew' && <RenewCodes onClose={close} />}
      {dialog === 'remove' && <RemoveAuthenticator onClose={close} />}
    </Card>
  );
}
