import type { OperatorRole, TeamInvitationWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { needsConfirmation } from '../../api/confirmation.ts';
import { sessionQuery } from '../../api/session.ts';
import { settingsQuery } from '../../api/settings.ts';
import { inviteColleague, teamQuery } from '../../api/team.ts';
import { ConfirmIdentity } from '../../authenticator/confirm-identity.tsx';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox, Notice } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { Select } from '../../components/controls/select.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { roleOptions, roleTexts } from './roles.ts';

export interface InviteDialogProps {
  /** The invitation to send again. Its previous link is revoked. */
  again: TeamInvitationWire | null;
  onClose: () => void;
}

export function InviteDialog({ again, onClose }: InviteDialogProps) {
  const queryClient = useQueryClient();
  const { account } = useSuspenseQuery(sessionQuery).data;
  const canMail = useQuery(settingsQuery).data?.mail.configured ?? true;
  const [email, setEmail] = useState(again?.email ?? '');
  const [role, setRole] = useState<OperatorRole>(again?.role ?? 'developer');
  const invite = useMutation({
    mutationFn: inviteColleague,
    onSuccess: async ({ email: to }) => {
      await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
      toast(`Invited ${to}`);
      onClose();
    },
  });
  const send = () => invite.mutate({ email: email.trim(), role });
  if (needsConfirmation(invite.error))
    return <ConfirmIdentity act="Inviting an owner" onConfirmed={send} onClose={onClose} />;
  const command = `tributary operator invite --account ${account.id} --role ${role} --email ${email.trim() || 'ada@example.com'}`;
  return (
    <Modal title={again ? 'Resend invitation' : 'Invite colleague'} isOpen onClose={onClose}>
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {again && <p className="modal-text">We email a new link. The previous link stops working.</p>}
        {!canMail && (
          <Notice tone="warn" title="Email is not configured.">
            Run the command below to create a link that you can share yourself.
          </Notice>
        )}
        <Field
          label="Email"
          type="email"
          value={email}
          onChange={setEmail}
          isDisabled={again !== null}
          isRequired
          autoFocus={again === null}
        />
        <Select label="Role" options={roleOptions} value={role} onChange={setRole} help={roleTexts[role]} />
        <CodeBlock text={command} label="Command" />
        {invite.error && <ErrorBox error={invite.error} title="Invitation not sent." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={email.trim() === ''}
            reason={canMail ? null : 'Email is not configured.'}
            isPending={invite.isPending}
          >
            Send invitation
          </Button>
        </div>
      </form>
    </Modal>
  );
}
