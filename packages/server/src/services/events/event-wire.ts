import type { EventType, EventWire } from '@tributary/contract';
import { metricOf } from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { FeedEvent } from '../../store/events/feed.ts';

/** An event as the feed, the live stream and webhooks return it. */
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
