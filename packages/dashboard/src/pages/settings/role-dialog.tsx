import type { OperatorRole, TeamMemberWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { needsConfirmation } from '../../api/confirmation.ts';
import { sessionQuery } from '../../api/session.ts';
import { changeColleague, teamQuery } from '../../api/team.ts';
import { ConfirmIdentity } from '../../authenticator/confirm-identity.tsx';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { Select } from '../../components/controls/select.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { roleNames, roleOptions, roleTexts } from './roles.ts';

export function RoleDialog({ member, onClose }: { member: TeamMemberWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [role, setRole] = useState<OperatorRole>(member.role);
  const change = useMutation({
    mutationFn: changeColleague,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast(`Role of ${member.name || member.email} changed to ${roleNames[role].toLowerCase()}`);
      onClose();
    },
  });
  const send = () => change.mutate({ id: member.id, role });
  if (needsConfirmation(change.error))
    return <ConfirmIdentity act="Making a colleague an owner" onConfirmed={send} onClose={onClose} />;
  return (
    <Modal title={`Change role of ${member.name || member.email}`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Select label="Role" options={roleOptions} value={role} onChange={setRole} help={roleTexts[role]} />
        <p className="modal-text">The new role applies from their next request. They stay signed in.</p>
        {change.error && <ErrorBox error={change.error} title="Role not changed." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={role === member.role} isPending={change.isPending}>
            Change role
          </Button>
        </div>
      </form>
    </Modal>
  );
}
