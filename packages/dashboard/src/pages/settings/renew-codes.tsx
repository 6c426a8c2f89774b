import { useMutation } from '@tanstack/react-query';
import { renewBackupCodes } from '../../api/security.ts';
import { BackupCodes } from '../../authenticator/backup-codes.tsx';
import { Modal } from '../../components/modal.tsx';
import { PasswordForm } from './password-form.tsx';

export function RenewCodes({ onClose }: { onClose: () => void }) {
  const renew = useMutation({ mutationFn: renewBackupCodes });
  return (
    <Modal title="New backup codes" isOpen mustAnswer={renew.isSuccess} onClose={onClose}>
      {renew.data ? (
        <BackupCodes codes={renew.data.backup_codes} action="Done" onDone={onClose} />
      ) : (
        <PasswordForm
          action="Make new codes"
          error={renew.error}
          failed="The codes are as they were."
          isPending={renew.isPending}
          onSubmit={(password) => renew.mutate(password)}
          onClose={onClose}
        >
          The codes that you have now stop working.
        </PasswordForm>
      )}
    </Modal>
  );
}
