import type { EventType, EventWire } from '@tributary/contract';
import { formatId } from '../../ids.ts';

/** The ID of a user or device that does not exist, so that lookups find nothing. */
const missingId = '00000000-0000-0000-0000-000000000000';

const sampleMetrics: Partial<Record<EventType, string[]>> = {
  'data.updated': ['steps', 'heart_rate'],
  'score.updated': ['sleep_score'],
  'subject.synced': ['steps'],
};

/** Creates an event that resembles a real one of its type and is marked as a test. */
export function makeTestEvent(id: string, type: EventType, timestamp: string): EventWire {
  const metrics = sampleMetrics[type] ?? [];
  const isOfDevice = type === 'device.connected' || type === 'device.disconnected';
  const date = timestamp.slice(0, 10);
  return {
    event_id: formatId('evt', id),
    event_type: type,
    metrics,
    user_id: formatId('user', missingId),
    device_id: isOfDevice ? formatId('dev', missingId) : null,
    timestamp,
    data: {
      test: true,
      ...(metrics.length > 0 && { change: 'updated', first_date: date, last_date: date, backfill: false }),
      ...(isOfDevice && { provider: 'apple_health' }),
    },
  };
}
