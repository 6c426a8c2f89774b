import type { KeyRowWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keysQuery, revokeKey } from '../../api/keys.ts';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { ConfirmByName } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { environmentNames, shortKey } from './key-text.ts';

/** Revokes a key without a replacement. */
export function RevokeDialog({ current, onClose }: { current: KeyRowWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeKey(current.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      toast('Key revoked');
      onClose();
    },
  });
  const name = environmentNames[current.environment];
  return (
    <ConfirmByName
      title={`Revoke ${current.environment} key`}
      name={name}
      action="Revoke key"
      isOpen
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        <code>{shortKey(current)}</code> stops working within a second, and no key replaces it. Every {name}{' '}
        API request returns 401 until you create a new key. Data collection and webhooks continue.
      </p>
      {revoke.error && <ErrorBox error={revoke.error} title="The key still works." />}
    </ConfirmByName>
  );
}
