import type { RosterMemberWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { curlOf } from '../../api/client/curl.ts';
import { removeMember } from '../../api/roster.ts';
import { useEnvironment } from '../../app/environment.ts';
import { CodeBlock } from '../../components/code/code.tsx';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { ConfirmByName } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';

export function RemoveMember({ member, onClose }: { member: RosterMemberWire; onClose: () => void }) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeMember(environment, member.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['roster', 'members'] });
      toast('Member removed');
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Remove ${member.name ?? member.email}`}
      name={member.email}
      action="Remove member"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          This member stops sharing data with you. If accepting the invitation created their user, you can no
          longer read that user until they accept again. None of their data is deleted.
        </p>
        <CodeBlock
          text={curlOf({ method: 'DELETE', path: `/v1/team/roster/${member.id}` }, location.origin)}
          label="Command"
        />
        {remove.error && <ErrorBox error={remove.error} title="Member not removed." />}
      </div>
    </ConfirmByName>
  );
}
