import type { TeamMemberWire } from '@tributary/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { removeColleague, teamQuery } from '../../api/team.ts';
import { ErrorBox } from '../../components/feedback/feedback.tsx';
import { ConfirmByName } from '../../components/overlays/modal.tsx';
import { toast } from '../../components/feedback/toast.tsx';

export function RemoveDialog({ member, onClose }: { member: TeamMemberWire; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeColleague(member.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
      toast(`Removed ${member.name || member.email}`);
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={`Remove ${member.name || member.email}`}
      name={member.email}
      action="Remove colleague"
      isOpen
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Their sessions end immediately and they can no longer sign in. Keys and webhooks they created keep
        working, and the audit log keeps their actions.
      </p>
      {remove.error && <ErrorBox error={remove.error} title="Colleague not removed." />}
    </ConfirmByName>
  );
}
