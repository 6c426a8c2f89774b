import { useMutation } from '@tanstack/react-query';
import { renewBackupCodes } from '../../api/security.ts';
import { BackupCodes } from '../../authenticator/backup-codes.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { PasswordForm } from './password-form.tsx';

export function RenewCodes({ onClose }: { onClose: () => void }) {
  const renew = useMutation({ mutationFn: renewBackupCodes });
  return (
    <Modal title="Replace backup codes" isOpen requiresChoice={renew.isSuccess} onClose={onClose}>
      {renew.data ? (
        <BackupCodes codes={renew.data.backup_codes} action="Done" onDone={onClose} />
      ) : (
        <PasswordForm
          action="Create new codes"
          error={renew.error}
          failed="Backup codes not changed."
          isPending={renew.isPending}
          onSubmit={(password) => renew.mutate(password)}
          onClose={onClose}
        >
          Your current codes stop working.
        </PasswordForm>
      )}
    </Modal>
  );
}
