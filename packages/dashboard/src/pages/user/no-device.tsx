import { useRefusal } from '../../api/role.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { usePerson } from './person.ts';

/** Before anything is known of a person, one way forward instead of five empty charts. */
export function NoDevice({ onConnect }: { onConnect: () => void }) {
  const { user } = usePerson();
  const refusal = useRefusal('developer', 'connect devices');
  return (
    <Card padded={false}>
      <Empty
        title="Scores, heart rate, sleep and daily values will be here once a device is connected."
        request={{ method: 'POST', path: `/v1/users/${user.id}/devices`, body: { provider: 'oura' } }}
        action={
          <Button reason={refusal} onPress={onConnect}>
            Connect a device
          </Button>
        }
        waiting="Waiting for the first device"
      >
        The answer has a link; the person opens it, sees what will be read, and allows access.
      </Empty>
    </Card>
  );
}
