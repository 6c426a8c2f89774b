import type { ProviderRowWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { removeProviderApp } from '../../api/providers.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import { needsForce } from './app-dialog.tsx';

/** Credentials serve live, so the name is typed in either environment. */
export function RemoveApp({ row, onClose }: { row: ProviderRowWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [force, setForce] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeProviderApp(row.provider, force),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['provider-rows'] });
      toast('The credentials are gone');
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Remove the credentials of ${row.name}`}
      name={row.name}
      action="Remove"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>Nobody can connect {row.name} any more, and what is connected brings nothing. Data stays.</p>
        <CodeBlock text={`tributary provider remove ${row.provider}`} label="Command" />
        {remove.error && <ErrorBox error={remove.error} title="The credentials are still there." />}
        {(needsForce(remove.error) || force) && (
          <Checkbox isSelected={force} onChange={setForce}>
            Remove them nevertheless
          </Checkbox>
        )}
      </div>
    </ConfirmByName>
  );
}
