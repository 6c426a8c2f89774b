import type { OperatorRole, TeamInvitationWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { settingsQuery } from '../../api/settings.ts';
import { inviteColleague, teamQuery } from '../../api/team.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox, Notice } from '../../components/feedback.tsx';
import { Field } from '../../components/field.tsx';
import { Modal } from '../../components/modal.tsx';
import { Select } from '../../components/select.tsx';
import { toast } from '../../components/toast.tsx';
import { roleOptions, roleTexts } from './roles.ts';

export interface InviteDialogProps {
  /** The invitation that is sent once more; its old link ends. */
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
  const command = `tributary operator invite --account ${account.id} --role ${role} --email ${email.trim() || 'ada@example.com'}`;
  return (
    <Modal title={again ? 'Send the invitation again' : 'Invite a colleague'} isOpen onClose={onClose}>
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ email: email.trim(), role });
        }}
      >
        {again && <p className="modal-text">A new link is mailed; the one before ends.</p>}
        {!canMail && (
          <Notice tone="warn" title="No mail can be sent yet.">
            The command below makes the link that you can hand over yourself.
          </Notice>
        )}
        <Field
          label="E-mail"
          type="email"
          value={email}
          onChange={setEmail}
          isDisabled={again !== null}
          isRequired
          autoFocus={again === null}
        />
        <Select label="Role" options={roleOptions} value={role} onChange={setRole} help={roleTexts[role]} />
        <CodeBlock text={command} label="Command" />
        {invite.error && <ErrorBox error={invite.error} title="Nobody was invited." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={email.trim() === ''}
            reason={canMail ? null : 'No mail can be sent yet.'}
            isPending={invite.isPending}
          >
            Send invitation
          </Button>
        </div>
      </form>
    </Modal>
  );
}
