import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { removeAuthenticator } from '../../api/security.ts';
import { sessionQuery } from '../../api/session.ts';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { PasswordForm } from './password-form.tsx';

export function RemoveAuthenticator({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { account } = useSuspenseQuery(sessionQuery).data;
  const remove = useMutation({
    mutationFn: removeAuthenticator,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast('Authenticator removed');
      onClose();
      // The route guard leads to the page that adds another one, if the account requires it.
      await router.invalidate();
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
        {account.requires_authenticator
          ? 'Your account requires an authenticator, so you have to add another one right away. Your backup codes stop working too.'
          : 'After this, anyone who knows your password can sign in as you. Your backup codes stop working too.'}
      </PasswordForm>
    </Modal>
  );
}
