import { useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { CopyButton } from '../../components/feedback/copy.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { AppDialog } from './app-dialog.tsx';
import { RemoveApp } from './remove-app.tsx';
import type { AppCardProps } from './app-card-props.ts';

/** The provider app. Its secret can be set but never read. */
export function AppCard({ row, app, mayChange }: AppCardProps) {
  const refusal = useRefusal('owner', 'change credentials');
  const [dialog, setDialog] = useState<'set' | 'remove' | null>(null);
  const shared = mayChange
    ? null
    : 'Several accounts share these credentials. Change them on the command line.';
  const reason = refusal ?? shared;
  const close = () => setDialog(null);
  return (
    <Card
      title="Credentials"
      note={`From the app you register with ${row.name}. Used in live only; the sandbox needs none.`}
      actions={app.is_set ? <State>Set</State> : <Badge>Not set</Badge>}
    >
      <div className="stack">
        <dl className="provider-facts">
          <dt>Client ID</dt>
          <dd>
            {app.client_id ? (
              <code>{app.client_id}</code>
            ) : (
              <None reason={app.is_set ? 'Hidden: shared by several accounts' : 'Not set yet'} />
            )}
          </dd>
          <dt>Client secret</dt>
          <dd>
            {app.is_set ? <span className="quiet">stored, never shown</span> : <None reason="Not set yet" />}
          </dd>
          {app.settings.map((setting) => (
            <div key={setting.name} className="provider-fact">
              <dt>{setting.name}</dt>
              <dd>
                {setting.is_set ? (
                  <span className="quiet">stored, never shown</span>
                ) : (
                  <None reason={setting.about} />
                )}
              </dd>
            </div>
          ))}
          <dt>Last changed</dt>
          <dd>{app.updated_at ? <Time at={app.updated_at} /> : <None reason="Never" />}</dd>
          <dt>Redirect URL</dt>
          <dd className="provider-url">
            <code>{app.callback_url}</code>
            <CopyButton text={app.callback_url} label="Copy redirect URL" />
          </dd>
          {row.push && (
            <>
              <dt>Push URL</dt>
              <dd className="provider-url">
                {app.push_url ? (
                  <>
                    <code>{app.push_url}</code>
                    <CopyButton text={app.push_url} label="Copy push URL" />
                  </>
                ) : (
                  <None
                    reason={
                      app.is_set
                        ? 'Contains a secret. Only owners can see it.'
                        : 'Created when you set the credentials'
                    }
                  />
                )}
              </dd>
            </>
          )}
        </dl>
        {!mayChange && (
          <Notice title="Several accounts share these credentials.">
            Your operator can change them with this command:
          </Notice>
        )}
        <CodeBlock
          text={`tributary provider set ${row.provider} --client-id … --client-secret-file …`}
          label="Command"
        />
        <div className="row">
          <Button reason={reason} onPress={() => setDialog('set')}>
            {app.is_set ? 'Replace credentials' : 'Enter credentials'}
          </Button>
          {app.is_set && (
            <Button kind="danger" reason={reason} onPress={() => setDialog('remove')}>
              Remove credentials
            </Button>
          )}
        </div>
      </div>
      {dialog === 'set' && <AppDialog row={row} app={app} onClose={close} />}
      {dialog === 'remove' && <RemoveApp row={row} onClose={close} />}
    </Card>
  );
}
