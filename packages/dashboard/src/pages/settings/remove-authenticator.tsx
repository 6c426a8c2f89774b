import { useMutation, useQueryClient } from '@tanstack/react-query';
import { removeAuthenticator } from '../../api/security.ts';
import { sessionQuery } from '../../api/session.ts';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { PasswordForm } from './password-form.tsx';

export function RemoveAuthenticator({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: removeAuthenticator,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast('Authenticator removed');
      onClose();
    },
  });
  return (
    <Modal title="Remove authenticator" isOpen onClose={onClose}>
      <PasswordForm
        action="Remove authenticator"
        danger
        error={remove.error}
        failed="Authenticator not removed."
        isPending={remove.isPending}
        onSubmit={(password) => remove.mutate(password)}
        onClose={onClose}
      >
        After this, anyone who knows your password can sign in as you. Your backup codes stop working too.
      </PasswordForm>
    </Modal>
  );
}
