import { dayOf } from '@tributary/domain';
import type { Event } from '../../store/events/events.ts';
import { describeChangedDays } from '../events/changed-days.ts';
import type { UserState } from './user-state.ts';

/** The events for the changes of one user. They name metrics and days, never a value, and nothing of opt-in metrics. */
export function eventsOf(state: UserState, newId: () => string): Event[] {
  const { userId, accountId, environment, timezones } = state.user;
  const base = { accountId, environment, userId };
  const events: Event[] = state.devices
    .filter(({ change }) => change === 'new')
    .map((device) => ({
      ...base,
      id: newId(),
      type: 'device.connected',
      deviceId: device.id,
      metrics: [],
      data: { provider: device.provider },
    }));
  const { metrics, first, last } = state.reported;
  if (first <= last) {
    const reportingDevices = state.devices.filter(({ change }) => change !== null);
    events.push({
      ...base,
      id: newId(),
      type: 'data.updated',
      deviceId: reportingDevices.length === 1 ? reportingDevices[0]!.id : null,
      metrics: [...metrics].sort((a, b) => a - b),
      data: describeChangedDays('updated', { from: first, to: last }, dayOf(state.lastBatchMs, timezones)),
    });
  }
  return events;
}
