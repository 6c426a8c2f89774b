import type { ProviderRowWire } from '@tributary/contract';
import { useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { Badge, State } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Notice } from '../../components/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { None, Time } from '../../components/tip.tsx';
import { AppDialog } from './app-dialog.tsx';
import { RemoveApp } from './remove-app.tsx';

export interface AppCardProps {
  row: ProviderRowWire;
  app: NonNullable<ProviderRowWire['app']>;
  mayChange: boolean;
}

/** The application that was registered with the provider: its secret goes in and never comes out. */
export function AppCard({ row, app, mayChange }: AppCardProps) {
  const refusal = useRefusal('owner', 'change credentials');
  const [asked, setAsked] = useState<'set' | 'remove' | null>(null);
  const shared = mayChange ? null : 'Several accounts use it; it is changed at the command line.';
  const reason = refusal ?? shared;
  const close = () => setAsked(null);
  return (
    <Card
      title="Credentials"
      note={`Of the application that you register with ${row.name}. They serve live; the sandbox needs none.`}
      actions={app.is_set ? <State>Set</State> : <Badge>Not set</Badge>}
    >
      <div className="stack">
        <dl className="provider-facts">
          <dt>Client id</dt>
          <dd>
            {app.client_id ? (
              <code>{app.client_id}</code>
            ) : (
              <None reason={app.is_set ? 'Several accounts use it' : 'Not set yet'} />
            )}
          </dd>
          <dt>Client secret</dt>
          <dd>
            {app.is_set ? <span className="quiet">kept, never shown</span> : <None reason="Not set yet" />}
          </dd>
          {app.settings.map((setting) => (
            <div key={setting.name} className="provider-fact">
              <dt>{setting.name}</dt>
              <dd>
                {setting.is_set ? (
                  <span className="quiet">kept, never shown</span>
                ) : (
                  <None reason={setting.about} />
                )}
              </dd>
            </div>
          ))}
          <dt>Changed</dt>
          <dd>{app.updated_at ? <Time at={app.updated_at} /> : <None reason="Never" />}</dd>
          <dt>Redirect URL</dt>
          <dd className="provider-url">
            <code>{app.callback_url}</code>
            <CopyButton text={app.callback_url} label="Copy the redirect URL" />
          </dd>
          {row.push && (
            <>
              <dt>Push URL</dt>
              <dd className="provider-url">
                {app.push_url ? (
                  <>
                    <code>{app.push_url}</code>
                    <CopyButton text={app.push_url} label="Copy the push URL" />
                  </>
                ) : (
                  <None
                    reason={app.is_set ? 'It holds a secret: owners see it' : 'Made with the credentials'}
                  />
                )}
              </dd>
            </>
          )}
        </dl>
        {!mayChange && (
          <Notice title="Several accounts use these credentials.">
            Whoever runs the service changes them:
          </Notice>
        )}
        <CodeBlock
          text={`tributary provider set ${row.provider} --client-id … --client-secret-file …`}
          label="Command"
        />
        <div className="row">
          <Button reason={reason} onPress={() => setAsked('set')}>
            {app.is_set ? 'Replace' : 'Enter credentials'}
          </Button>
          {app.is_set && (
            <Button kind="danger" reason={reason} onPress={() => setAsked('remove')}>
              Remove
            </Button>
          )}
        </div>
      </div>
      {asked === 'set' && <AppDialog row={row} app={app} onClose={close} />}
      {asked === 'remove' && <RemoveApp row={row} onClose={close} />}
    </Card>
  );
}
