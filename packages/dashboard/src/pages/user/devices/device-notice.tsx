import { useRefusal } from '../../../api/role.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Notice } from '../../../components/feedback/feedback.tsx';
import { relativeTime } from '../../../words/time.ts';
import { needsAttention, describeDevice, useProviderNames } from './device-state.tsx';
import { usePerson } from '../person.ts';

/** The problem of a device and how to fix it. */
export function DeviceNotice({ onConnect }: { onConnect: (provider: string) => void }) {
  const { user, whose } = usePerson();
  const nameOf = useProviderNames(whose.environment);
  const refusal = useRefusal('developer', 'connect devices');
  return user.devices.filter(needsAttention).map((device) => {
    const { id, provider, status, sync, last_sync_at } = device;
    const isOver = status === 'expired' || sync?.state === 'revoked';
    const since = last_sync_at ? ` Last data ${relativeTime(last_sync_at)}.` : '';
    return (
      <Notice
        key={id}
        tone={isOver || sync?.state === 'silent' ? 'bad' : 'warn'}
        title={`${nameOf(provider)} ${isOver ? 'access has ended.' : 'sends no new data.'}`}
        action={
          isOver && (
            <Button small reason={refusal} onPress={() => onConnect(provider)}>
              Create new link
            </Button>
          )
        }
      >
        {describeDevice(device)} {sync?.next_step ?? ''}
        {since}
      </Notice>
    );
  });
}
