import type { RosterInvitationWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { curlOf } from '../../api/client/curl.ts';
import { fieldProblem } from '../../api/client/field-problem.ts';
import { invitePerson, type InvitationInput } from '../../api/roster.ts';
import { settingsQuery } from '../../api/settings.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { Field } from '../../components/controls/field.tsx';
import { Modal } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { InvitationPreview } from './invitation-preview.tsx';

export interface InviteDialogProps {
  /** An ended invitation to send again. */
  again: RosterInvitationWire | null;
  onClose: () => void;
}

/** Invites a person by mail and previews the invitation. */
export function InviteDialog({ again, onClose }: InviteDialogProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const organization = useQuery(settingsQuery).data?.organization_name ?? null;
  const [email, setEmail] = useState(again?.email ?? '');
  const [name, setName] = useState(again?.name ?? '');
  const [who, setWho] = useState('');
  const body = bodyOf(email, name, who);
  const shown = { ...body, email: body.email || 'ada@example.com' };
  const invite = useMutation({
    mutationFn: () => invitePerson(environment, body),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['roster', 'invitations'] }),
    onSuccess: ({ email: to }) => {
      toast(`Invited ${to}`);
      onClose();
    },
  });
  return (
    <Modal title={again ? 'Invite again' : 'Invite member'} isOpen wide onClose={onClose}>
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <div className="roster-invite">
          <div className="stack">
            <Field
              label="Email"
              type="email"
              value={email}
              onChange={setEmail}
              error={fieldProblem(invite.error, 'email')}
              isDisabled={again !== null}
              isRequired
              autoFocus={again === null}
            />
            <Field
              label="Name"
              help="Optional. Shown in the invitation and in your lists."
              value={name}
              onChange={setName}
              error={fieldProblem(invite.error, 'name')}
            />
            <Field
              label="Reference or user ID"
              help="If empty, accepting creates a user whose reference is the invitation ID."
              placeholder="customer-1042 or user_…"
              value={who}
              onChange={setWho}
              error={fieldProblem(invite.error, 'reference_id') ?? fieldProblem(invite.error, 'user_id')}
              autoComplete="off"
            />
          </div>
          <InvitationPreview organization={organization} email={email} name={name} />
        </div>
        <CodeBlock
          text={curlOf({ method: 'POST', path: '/v1/team/roster/invitations', body: shown }, location.origin)}
          label="Command"
        />
        {invite.error && <ErrorBox error={invite.error} title="Invitation not sent." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={email.trim() === ''} isPending={invite.isPending}>
            Send invitation
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function bodyOf(email: string, name: string, who: string): InvitationInput {
  const body: InvitationInput = { email: email.trim() };
  if (name.trim() !== '') body.name = name.trim();
  if (who.trim().startsWith('user_')) body.user_id = who.trim();
  else if (who.trim() !== '') body.reference_id = who.trim();
  return body;
}
