import { useRefusal } from '../../../api/role.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Empty } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { usePerson } from '../person.ts';

/** Shown instead of empty charts for a user without data. */
export function NoDevice({ onConnect }: { onConnect: () => void }) {
  const { user } = usePerson();
  const refusal = useRefusal('developer', 'connect devices');
  return (
    <Card padded={false}>
      <Empty
        title="Scores, heart rate, sleep and daily values will appear here once a device is connected."
        request={{ method: 'POST', path: `/v1/users/${user.id}/devices`, body: { provider: 'oura' } }}
        action={
          <Button reason={refusal} onPress={onConnect}>
            Connect device
          </Button>
        }
        waiting="Waiting for the first device"
      >
        The response contains a link. The user opens it, sees which data you will read, and authorizes access.
      </Empty>
    </Card>
  );
}
