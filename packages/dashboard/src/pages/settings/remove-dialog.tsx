import type { TeamMemberWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { removeColleague, teamQuery } from '../../api/team.ts';
import { ErrorBox } from '../../components/feedback.tsx';
import { ConfirmByName } from '../../components/modal.tsx';
import { toast } from '../../components/toast.tsx';

export function RemoveDialog({ member, onClose }: { member: TeamMemberWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeColleague(member.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
      toast(`${member.name || member.email} was removed`);
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Remove ${member.name || member.email}`}
      name={member.email}
      action="Remove"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Their sessions end at once and they cannot sign in any more. Keys and webhooks that they made go on,
        and the audit log keeps what they did.
      </p>
      {remove.error && <ErrorBox error={remove.error} title="Nobody was removed." />}
    </ConfirmByName>
  );
}
