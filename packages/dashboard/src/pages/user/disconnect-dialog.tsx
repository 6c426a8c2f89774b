import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeviceWire } from '@tributary/contract';
import { curlOf } from '../../api/curl.ts';
import { disconnectDevice } from '../../api/user.ts';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import { useProviderNames } from './device-state.tsx';
import { usePerson } from './person.ts';

export function DisconnectDialog({ device, onClose }: { device: DeviceWire; onClose: () => void }) {
  const { whose } = usePerson();
  const { environment, userId } = whose;
  const name = useProviderNames(environment)(device.provider);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => disconnectDevice(environment, userId, device.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['user', environment, userId] });
      toast(`${name} was disconnected`);
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Disconnect ${name}`}
      name={name}
      action="Disconnect"
      isOpen
      isPending={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          The access ends at the provider too, and the data that came from this device goes. Values are worked
          out again from the devices that stay.
        </p>
        <CodeBlock
          text={curlOf(
            { method: 'DELETE', path: `/v1/users/${userId}/devices/${device.id}` },
            location.origin,
          )}
          label="Command"
        />
        {end.error && <ErrorBox error={end.error} title="It is still connected." />}
      </div>
    </ConfirmByName>
  );
}
