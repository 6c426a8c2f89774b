import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/feedback.tsx';

export interface NobodyYetProps {
  title: string;
  /** Why nobody may be invited; null where they may. */
  reason: string | null;
  onInvite: () => void;
}

/** Stands in for a list of the roster until somebody is in it. */
export function NobodyYet({ title, reason, onInvite }: NobodyYetProps) {
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
          Invite somebody
        </Button>
      }
    />
  );
}
