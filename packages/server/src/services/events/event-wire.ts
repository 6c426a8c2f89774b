import type { EventType, EventWire } from '@tributary/contract';
import { metricOf } from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { FeedEvent } from '../../store/feed.ts';

/** An event as feed, stream and webhooks show it. */
export function toEventWire(event: Omit<FeedEvent, 'position'>): EventWire {
  return {
    event_id: formatId('evt', event.id),
    event_type: event.type as EventType,
    metrics: event.metrics.map((no) => metricOf(no).id),
    user_id: formatId('user', event.userId),
    device_id: event.deviceId && formatId('dev', event.deviceId),
    timestamp: event.createdAt,
    data: event.data,
  };
}
