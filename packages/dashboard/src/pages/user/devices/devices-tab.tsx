import { useQuery } from '@tanstack/react-query';
import type { DeviceWire } from '@tributary/contract';
import { useState } from 'react';
import { useRefusal } from '../../../api/role.ts';
import { devicesQuery } from '../../../api/user.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Curl } from '../../../components/overlays/command.tsx';
import { Id } from '../../../components/feedback/copy.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { Time } from '../../../components/overlays/tip.tsx';
import { later } from '../../../components/overlays/later.ts';
import { DeviceRuns } from './device-runs.tsx';
import { DeviceState, describeDevice, useProviderNames } from './device-state.tsx';
import { usePerson } from '../person.ts';

const DisconnectDialog = later(() =>
  import('./disconnect-dialog.tsx').then((module) => module.DisconnectDialog),
);

export function DevicesTab({ onConnect }: { onConnect: (provider: string) => void }) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery(devicesQuery(whose.environment, user.id));
  const [ending, setEnding] = useState<DeviceWire | null>(null);
  const refusal = useRefusal('developer', 'connect devices');
  if (error && !data)
    return <ErrorBox error={error} title="Could not load devices." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[160, 160]} label="Loading devices" />;
  return (
    <div className="stack">
      <div className="row end">
        <Curl method="GET" path={`/v1/users/${user.id}/devices`} />
      </div>
      {data.data.length === 0 && (
        <Card padded={false}>
          <Empty
            title="This user's devices will appear here."
            request={{ method: 'POST', path: `/v1/users/${user.id}/devices`, body: { provider: 'oura' } }}
            action={
              <Button reason={refusal} onPress={() => onConnect('')}>
                Connect device
              </Button>
            }
          >
            The response contains a link. The user opens it and authorizes access.
          </Empty>
        </Card>
      )}
      {data.data.map((device) => (
        <DeviceCard
          key={device.id}
          device={device}
          refusal={refusal}
          onConnect={onConnect}
          onEnd={() => setEnding(device)}
        />
      ))}
      {ending && <DisconnectDialog device={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

interface DeviceCardProps {
  device: DeviceWire;
  refusal: string | null;
  onConnect: (provider: string) => void;
  onEnd: () => void;
}

function DeviceCard({ device, refusal, onConnect, onEnd }: DeviceCardProps) {
  const { whose } = usePerson();
  const nameOf = useProviderNames(whose.environment);
  const { id, provider, connected_at, last_sync_at, sync } = device;
  return (
    <Card
      title={nameOf(provider)}
      mark={<DeviceState device={device} />}
      note={describeDevice(device)}
      actions={
        <>
          {sync && (
            <Button small reason={refusal} onPress={() => onConnect(provider)}>
              Create link
            </Button>
          )}
          <Button small kind="danger" reason={refusal} onPress={onEnd}>
            Disconnect
          </Button>
        </>
      }
    >
      <dl className="facts">
        <div>
          <dt>ID</dt>
          <dd>
            <Id value={id} />
          </dd>
        </div>
        <div>
          <dt>Connected</dt>
          <dd>{connected_at ? <Time at={connected_at} /> : 'Not yet'}</dd>
        </div>
        <div>
          <dt>Last data</dt>
          <dd>{last_sync_at ? <Time at={last_sync_at} /> : 'None yet'}</dd>
        </div>
        {sync && (
          <div>
            <dt>Reason</dt>
            <dd>
              <code>{sync.reason}</code>
            </dd>
          </div>
        )}
        {sync?.next_step && (
          <div className="wide">
            <dt>Next step</dt>
            <dd>{sync.next_step}</dd>
          </div>
        )}
      </dl>
      {sync && <DeviceRuns deviceId={id} />}
    </Card>
  );
}
