import { useQuery } from '@tanstack/react-query';
import { devicesQuery } from '../../../api/user.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { Time } from '../../../components/overlays/tip.tsx';
import { DeviceState, describeDevice, useProviderNames } from './device-state.tsx';
import { usePerson } from '../person.ts';

export function DevicesCard({ onAll }: { onAll: () => void }) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery({
    ...devicesQuery(whose.environment, user.id),
    initialData: { data: user.devices },
  });
  const nameOf = useProviderNames(whose.environment);
  if (error && !data)
    return <ErrorBox error={error} title="Could not load devices." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[280]} label="Loading devices" />;
  return (
    <Card
      title="Devices"
      padded={false}
      actions={
        <Button small onPress={onAll}>
          Show details
        </Button>
      }
    >
      {data.data.length === 0 ? (
        <Empty
          title="Devices will appear here once connected."
          request={{ method: 'POST', path: `/v1/users/${user.id}/devices`, body: { provider: 'oura' } }}
        >
          The response contains a link. The user opens it and authorizes access.
        </Empty>
      ) : (
        <ul className="device-list">
          {data.data.map((device) => (
            <li key={device.id}>
              <span className="device-mark" aria-hidden="true">
                {device.provider.slice(0, 2)}
              </span>
              <span className="device-text">
                <b>{nameOf(device.provider)}</b>
                <small>{describeDevice(device)}</small>
              </span>
              <span className="device-end">
                <DeviceState device={device} />
                <small>{device.last_sync_at ? <Time at={device.last_sync_at} end /> : 'No data yet'}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
