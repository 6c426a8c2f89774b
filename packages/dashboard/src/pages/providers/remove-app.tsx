import type { ProviderRowWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { removeProviderApp } from '../../api/providers.ts';
import { Checkbox } from '../../components/controls/checkbox.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { ConfirmByName } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { needsForce } from './app-dialog.tsx';

/** Credentials apply to live, so the name must be typed in both environments. */
export function RemoveApp({ row, onClose }: { row: ProviderRowWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [force, setForce] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeProviderApp(row.provider, force),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['provider-rows'] });
      toast('Credentials removed');
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Remove ${row.name} credentials`}
      name={row.name}
      action="Remove credentials"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          Users can no longer connect {row.name}, and existing connections stop syncing. Stored data is kept.
        </p>
        <CodeBlock text={`tributary provider remove ${row.provider}`} label="Command" />
        {remove.error && <ErrorBox error={remove.error} title="Credentials not removed." />}
        {(needsForce(remove.error) || force) && (
          <Checkbox isSelected={force} onChange={setForce}>
            Remove anyway
          </Checkbox>
        )}
      </div>
    </ConfirmByName>
  );
}
