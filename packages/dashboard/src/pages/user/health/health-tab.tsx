import { DailyCard } from './daily-card.tsx';
import { DevicesCard } from '../devices/devices-card.tsx';
import { NoDevice } from '../devices/no-device.tsx';
import { HeartRateCard } from './heart-rate-card.tsx';
import { ScoresCard } from './scores-card.tsx';
import { usePerson } from '../person.ts';
import { SleepCard } from './sleep-card.tsx';
import { HiddenValuesNotice } from './values-grid.tsx';

export interface HealthTabProps {
  /** Whether the role may not see values. */
  isWalled: boolean;
  onDevices: () => void;
  onConnect: (provider: '') => void;
}

export function HealthTab({ isWalled, onDevices, onConnect }: HealthTabProps) {
  const { user } = usePerson();
  if (user.devices.length === 0) return <NoDevice onConnect={() => onConnect('')} />;
  if (isWalled)
    return (
      <div className="stack">
        <HiddenValuesNotice />
        <DevicesCard onAll={onDevices} />
      </div>
    );
  return (
    <div className="stack">
      <ScoresCard />
      <HeartRateCard />
      <div className="two">
        <SleepCard />
        <DevicesCard onAll={onDevices} />
      </div>
      <DailyCard />
    </div>
  );
}
