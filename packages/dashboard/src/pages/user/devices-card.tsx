import { useQuery } from '@tanstack/react-query';
import { devicesQuery } from '../../api/user.ts';
import { Button } from '../../components/button.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/tip.tsx';
import { DeviceState, sayDevice, useProviderNames } from './device-state.tsx';
import { usePerson } from './person.ts';

export function DevicesCard({ onAll }: { onAll: () => void }) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery({
    ...devicesQuery(whose.environment, user.id),
    initialData: { data: user.devices },
  });
  const nameOf = useProviderNames(whose.environment);
  if (error && !data)
    return <ErrorBox error={error} title="The devices could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[280]} label="Loading the devices" />;
  return (
    <Card
      title="Devices"
      padded={false}
      actions={
        <Button small onPress={onAll}>
          All about them
        </Button>
      }
    >
      {data.data.length === 0 ? (
        <Empty
          title="No device is connected."
          request={{ method: 'POST', path: `/v1/users/${user.id}/devices`, body: { provider: 'oura' } }}
        >
          The answer has a link; the person opens it and allows access.
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
                <small>{sayDevice(device)}</small>
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
