import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteUser } from '../../api/user.ts';
import { CodeBlock } from '../../components/code/code.tsx';
import { curlOf } from '../../api/client/curl.ts';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { ConfirmByName } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { usePerson } from './person.ts';

export function DeleteUserDialog({ onClose }: { onClose: () => void }) {
  const { user, whose } = usePerson();
  const { environment, userId } = whose;
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteUser(environment, userId),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['users', environment], refetchType: 'none' });
      toast(`Deleting ${user.reference_id}`);
      await navigate({ to: '/$environment/users', params: { environment } });
    },
  });
  return (
    <ConfirmByName
      title="Delete user"
      name={user.reference_id}
      action="Delete user"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          <b>{user.reference_id}</b> disappears from all API responses immediately. Devices are disconnected,
          and all values, scores and events are deleted. You cannot undo this.
        </p>
        <CodeBlock
          text={curlOf({ method: 'DELETE', path: `/v1/users/${userId}` }, location.origin)}
          label="Command"
        />
        {remove.error && <ErrorBox error={remove.error} title="User not deleted." />}
      </div>
    </ConfirmByName>
  );
}
