import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteUser } from '../../api/user.ts';
import { CodeBlock } from '../../components/code.tsx';
import { curlOf } from '../../api/curl.ts';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
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
      toast(`${user.reference_id} is being deleted`);
      await navigate({ to: '/$environment/users', params: { environment } });
    },
  });
  return (
    <ConfirmByName
      title="Delete the user"
      name={user.reference_id}
      action="Delete"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          <b>{user.reference_id}</b> is gone from every read at once; devices are disconnected and all values,
          scores and events follow. It cannot be taken back.
        </p>
        <CodeBlock
          text={curlOf({ method: 'DELETE', path: `/v1/users/${userId}` }, location.origin)}
          label="Command"
        />
        {remove.error && <ErrorBox error={remove.error} title="Nothing was deleted." />}
      </div>
    </ConfirmByName>
  );
}
