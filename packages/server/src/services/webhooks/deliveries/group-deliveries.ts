import type { Delivery } from '../../../store/webhooks/deliveries.ts';

/** The content of one request. */
export interface Parcel {
  /** The delivery that is attempted. */
  delivery: Delivery;
  /** Earlier deliveries of the same user that are merged into it, in order. */
  merged: readonly Delivery[];
}

/** The open windows of new changes and of backfills. */
type Windows = Map<boolean, { until: number; changes: Delivery[] }>;

/**
 * Merges changes of one user's data within a window into one parcel. Everything else is sent on its own. A window starts with its first change, and
 * ends after its length or with any other due event of the same user, so that the order of a user's events is preserved. Backfills stay separate from
 * new data. The windows depend only on the deliveries, so they are the same after a crash.
 */
export function groupDeliveries(
  deliveries: readonly Delivery[],
  windowSeconds: number,
  now: number,
): Parcel[] {
  const groups = [...Map.groupBy(deliveries, ({ userId }) => userId).values()].flatMap((ofUser) =>
    groupOfUser(ofUser.toSorted(byPlace), windowSeconds * 1_000, now),
  );
  return groups
    .map((group) => ({ delivery: group.at(-1)!, merged: group.slice(0, -1) }))
    .sort((a, b) => byPlace(a.delivery, b.delivery));
}

function groupOfUser(deliveries: readonly Delivery[], windowMs: number, now: number): Delivery[][] {
  const groups: Delivery[][] = [];
  const windows: Windows = new Map();
  // Preserve the order: the last due delivery includes everything before it.
  const lastDue = deliveries.findLastIndex((delivery) => delivery.dueAt <= now);
  for (const [at, delivery] of deliveries.entries()) {
    const open = windows.get(delivery.backfill);
    if (!isUnsentChange(delivery)) {
      if (delivery.tries === 0) windows.clear();
      if (delivery.dueAt <= now) groups.push([delivery]);
    } else if (open && windowMs > 0 && delivery.createdAt <= open.until) {
      open.changes.push(delivery);
    } else if (at <= lastDue) {
      const changes = [delivery];
      windows.set(delivery.backfill, { until: delivery.createdAt + windowMs, changes });
      groups.push(changes);
    }
  }
  return groups;
}

function isUnsentChange({ type, tries, sent }: Delivery): boolean {
  return type === 'data.updated' && tries === 0 && sent === null;
}

/** Test events have no position and come last. */
function byPlace(a: Delivery, b: Delivery): number {
  return (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER);
}
