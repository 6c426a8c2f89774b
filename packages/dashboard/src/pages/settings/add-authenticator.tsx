import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { startAuthenticator } from '../../api/sign-in.ts';
import { BackupCodes } from '../../authenticator/backup-codes.tsx';
import { Scan } from '../../authenticator/scan.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { PasswordForm } from './password-form.tsx';

/** Asks for the password, shows the QR code, verifies a code, then shows the backup codes. */
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
      <Modal title="Add authenticator" isOpen onClose={onClose}>
        <PasswordForm
          action="Continue"
          error={start.error}
          failed="Could not start setup."
          isPending={start.isPending}
          onSubmit={(password) => start.mutate(password)}
          onClose={onClose}
        >
          Have your authenticator app ready. From your next sign-in on, you need a code from it.
        </PasswordForm>
      </Modal>
    );
  if (!proven)
    return (
      <Modal title="Add authenticator" isOpen wide onClose={onClose}>
        <Scan uri={start.data.uri} onProven={() => setProven(true)} />
      </Modal>
    );
  return (
    <Modal title="Store your backup codes" isOpen requiresChoice onClose={done}>
      <BackupCodes codes={start.data.backup_codes} action="Done" onDone={done} />
    </Modal>
  );
}
