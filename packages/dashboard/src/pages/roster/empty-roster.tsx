import { Button } from '../../components/controls/button.tsx';
import { Empty } from '../../components/feedback/feedback.tsx';

export interface EmptyRosterProps {
  title: string;
  /** Why inviting is not allowed, or null if it is. */
  reason: string | null;
  onInvite: () => void;
}

/** Shown instead of an empty roster list. */
export function EmptyRoster({ title, reason, onInvite }: EmptyRosterProps) {
  return (
    <Empty
      title={title}
      request={{
        method: 'POST',
        path: '/v1/team/roster/invitations',
        body: { email: 'ada@example.com', name: 'Ada Example' },
      }}
      action={
        <Button reason={reason} onPress={onInvite}>
          Invite member
        </Button>
      }
    />
  );
}
