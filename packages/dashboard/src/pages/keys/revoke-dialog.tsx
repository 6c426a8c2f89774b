import type { KeyRowWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keysQuery, revokeKey } from '../../api/keys.ts';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import { environmentNames, shortKey } from './key-text.ts';

/** Ends a key without another in its place. */
export function RevokeDialog({ current, onClose }: { current: KeyRowWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeKey(current.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      toast('The key has ended');
      onClose();
    },
  });
  const name = environmentNames[current.environment];
  return (
    <ConfirmByName
      title={`Revoke the ${current.environment} key`}
      name={name}
      action="Revoke"
      isOpen
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        <code>{shortKey(current)}</code> ends within a second and nothing takes its place: every call of{' '}
        {name} is answered with 401 until a new key is made. Data and webhooks go on.
      </p>
      {revoke.error && <ErrorBox error={revoke.error} title="The key still works." />}
    </ConfirmByName>
  );
}
