import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { startAuthenticator } from '../../api/sign-in.ts';
import { BackupCodes } from '../../authenticator/backup-codes.tsx';
import { Scan } from '../../authenticator/scan.tsx';
import { Modal } from '../../components/modal.tsx';
import { PasswordForm } from './password-form.tsx';

/** Password, then the QR code and its proof, then the backup codes. */
export function AddAuthenticator({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [proven, setProven] = useState(false);
  const start = useMutation({ mutationFn: startAuthenticator });
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    onClose();
  };
  if (!start.data)
    return (
      <Modal title="Add an authenticator" isOpen onClose={onClose}>
        <PasswordForm
          action="Continue"
          error={start.error}
          failed="It could not be begun."
          isPending={start.isPending}
          onSubmit={(password) => start.mutate(password)}
          onClose={onClose}
        >
          Have an authenticator app at hand. It is asked for from your next sign-in on.
        </PasswordForm>
      </Modal>
    );
  if (!proven)
    return (
      <Modal title="Add an authenticator" isOpen wide onClose={onClose}>
        <Scan uri={start.data.uri} onProven={() => setProven(true)} />
      </Modal>
    );
  return (
    <Modal title="Keep the backup codes" isOpen mustAnswer onClose={done}>
      <BackupCodes codes={start.data.backup_codes} action="Done" onDone={done} />
    </Modal>
  );
}
