import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeviceWire } from '@tributary/contract';
import { curlOf } from '../../../api/client/curl.ts';
import { disconnectDevice } from '../../../api/user.ts';
import { CodeBlock } from '../../../components/code/code.tsx';
import { ErrorBox } from '../../../components/feedback/feedback.tsx';
import { ConfirmByName } from '../../../components/overlays/modal.tsx';
import { toast } from '../../../components/feedback/toast.tsx';
import { useProviderNames } from './device-state.tsx';
import { usePerson } from '../person.ts';

export function DisconnectDialog({ device, onClose }: { device: DeviceWire; onClose: () => void }) {
  const { whose } = usePerson();
  const { environment, userId } = whose;
  const name = useProviderNames(environment)(device.provider);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => disconnectDevice(environment, userId, device.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['user', environment, userId] });
      toast(`${name} disconnected`);
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
          This also ends access at the provider and deletes the data from this device. Values are recomputed
          from the remaining devices.
        </p>
        <CodeBlock
          text={curlOf(
            { method: 'DELETE', path: `/v1/users/${userId}/devices/${device.id}` },
            location.origin,
          )}
          label="Command"
        />
        {end.error && <ErrorBox error={end.error} title="The device is still connected." />}
      </div>
    </ConfirmByName>
  );
}
