import type { RosterMemberWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { curlOf } from '../../api/curl.ts';
import { removeMember } from '../../api/roster.ts';
import { useEnvironment } from '../../app/environment.ts';
import { CodeBlock } from '../../components/code.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';

export function RemoveMember({ member, onClose }: { member: RosterMemberWire; onClose: () => void }) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeMember(environment, member.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['roster', 'members'] });
      toast('Removed');
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Remove ${member.name ?? member.email}`}
      name={member.email}
      action="Remove"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          You share nothing any more: a user that accepting made cannot be read from now on, and comes back
          when the person accepts again. No data of the person is deleted.
        </p>
        <CodeBlock
          text={curlOf({ method: 'DELETE', path: `/v1/team/roster/${member.id}` }, location.origin)}
          label="Command"
        />
        {remove.error && <ErrorBox error={remove.error} title="Nobody was removed." />}
      </div>
    </ConfirmByName>
  );
}
