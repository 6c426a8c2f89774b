import type { EventWire } from '@tributary/contract';

/** Merges several changes of one user's data into one event with the ID of the last. */
export function mergeEvents(events: readonly EventWire[]): EventWire {
  const last = events.at(-1)!;
  if (events.length === 1) return last;
  const isOneDevice = events.every(({ device_id: device }) => device === last.device_id);
  const dates = events
    .flatMap(({ data }) => [data.first_date, data.last_date])
    .filter(isPresent)
    .sort();
  const areDeletions = events.every(({ data }) => data.change === 'deleted');
  return {
    ...last,
    metrics: [...new Set(events.flatMap(({ metrics }) => metrics))],
    device_id: isOneDevice ? last.device_id : null,
    data: {
      ...last.data,
      change: areDeletions ? 'deleted' : 'updated',
      ...(dates.length > 0 && { first_date: dates[0]!, last_date: dates.at(-1)! }),
    },
  };
}

function isPresent(date: string | undefined): date is string {
  return date !== undefined;
}
