import { useMutation, useQueryClient } from '@tanstack/react-query';
import { removeAuthenticator } from '../../api/security.ts';
import { sessionQuery } from '../../api/session.ts';
import { Modal } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';
import { PasswordForm } from './password-form.tsx';

export function RemoveAuthenticator({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: removeAuthenticator,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast('The authenticator is gone');
      onClose();
    },
  });
  return (
    <Modal title="Remove the authenticator" isOpen onClose={onClose}>
      <PasswordForm
        action="Remove"
        danger
        error={remove.error}
        failed="The authenticator is still there."
        isPending={remove.isPending}
        onSubmit={(password) => remove.mutate(password)}
        onClose={onClose}
      >
        From then on your password alone lets you in, and whoever knows it. Backup codes end too.
      </PasswordForm>
    </Modal>
  );
}
