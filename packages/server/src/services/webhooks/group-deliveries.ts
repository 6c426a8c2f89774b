import type { Delivery } from '../../store/deliveries.ts';

/** What goes out in one request. */
export interface Parcel {
  /** The delivery that is attempted. */
  delivery: Delivery;
  /** Earlier ones of the same user that it also tells, in their order. */
  merged: readonly Delivery[];
}

/** The window of new changes and that of history, while they are open. */
type Windows = Map<boolean, { until: number; changes: Delivery[] }>;

/**
 * Puts changes of one user's data that came within a window into one parcel; everything else goes by itself. A window begins with its first
 * change and is closed by its end, or by anything else of the same user that is due: so the order of a user's events is kept. What came late
 * as history stays apart from what is new. The windows follow from the deliveries alone: after a crash they are the same again.
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
  // Nothing is told before what came first: the last one that is due takes along all before it.
  const lastDue = deliveries.findLastIndex((delivery) => delivery.dueAt <= now);
  for (const [at, delivery] of deliveries.entries()) {
    const open = windows.get(delivery.backfill);
    if (!isUntoldChange(delivery)) {
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

function isUntoldChange({ type, tries, sent }: Delivery): boolean {
  return type === 'data.updated' && tries === 0 && sent === null;
}

/** Test events have no place and go last. */
function byPlace(a: Delivery, b: Delivery): number {
  return (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER);
}
