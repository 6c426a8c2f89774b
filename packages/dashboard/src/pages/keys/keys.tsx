import type { KeyRowWire } from '@tributary/contract';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { keysQuery } from '../../api/keys.ts';
import { sessionQuery } from '../../api/session.ts';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { KeyCard } from './key-card.tsx';
import { KeyHistory } from './key-history.tsx';
import './keys.css';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

const environments: readonly Environment[] = ['live', 'sandbox'];

/** The open dialog. */
type OpenDialog = { act: 'rotate'; environment: Environment } | { act: 'revoke'; key: KeyRowWire } | null;

export function KeysPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const keys = useQuery(keysQuery);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const reason = session.role === 'viewer' ? 'Viewers cannot change keys. Ask an owner or developer.' : null;
  const close = () => setDialog(null);
  return (
    <div className="page">
      <PageHead
        title="API keys"
        lead="One key per environment. A key grants full access to its environment, so keep it on your server."
      />
      {keys.error && !keys.data && (
        <ErrorBox error={keys.error} title="Could not load keys." onRetry={() => void keys.refetch()} />
      )}
      {keys.isPending && <Skeleton heights={[220, 160]} label="Loading keys" />}
      {keys.data && (
        <>
          <div className="key-cards">
            {environments.map((environment) => (
              <KeyCard
                key={environment}
                environment={environment}
                current={activeOf(keys.data.data, environment)}
                reason={reason}
                onRotate={() => setDialog({ act: 'rotate', environment })}
                onRevoke={(key) => setDialog({ act: 'revoke', key })}
              />
            ))}
          </div>
          <Card title="History" padded={false}>
            <KeyHistory keys={keys.data.data} />
          </Card>
        </>
      )}
      {dialog?.act === 'rotate' && (
        <RotateDialog
          environment={dialog.environment}
          current={activeOf(keys.data?.data ?? [], dialog.environment)}
          onClose={close}
        />
      )}
      {dialog?.act === 'revoke' && <RevokeDialog current={dialog.key} onClose={close} />}
    </div>
  );
}

function activeOf(keys: readonly KeyRowWire[], environment: Environment): KeyRowWire | null {
  return keys.find((key) => key.environment === environment && key.status === 'active') ?? null;
}
