import type { EventRowsWire, EventRowWire } from '@tributary/contract';

/** Those that come by themselves push out the oldest beyond so many; what was asked for stays. */
export const mostRows = 200;

export interface Tail {
  /** Newest first. */
  rows: readonly EventRowWire[];
  /** What came while one reads, newest first. */
  unread: readonly EventRowWire[];
  /** Before which place there are older ones; null at the end. */
  older: string | null;
  /** Whether what there was is known; before, nothing says that there is nothing. */
  isRead: boolean;
  connection: 'connecting' | 'live' | 'lost';
}

export const emptyTail: Tail = { rows: [], unread: [], older: null, isRead: false, connection: 'connecting' };

/** Puts what came, oldest first, on top, or aside while one reads. */
export function addRows(tail: Tail, came: readonly EventRowWire[], isReading: boolean): Tail {
  const newest = came.toReversed();
  return isReading
    ? { ...tail, unread: [...newest, ...tail.unread].slice(0, mostRows) }
    : putOnTop(tail, newest);
}

/** Shows what was put aside. After too much of it nothing else is shown: some between may have been dropped. */
export function readAll(tail: Tail): Tail {
  const { unread } = tail;
  if (unread.length < mostRows) return { ...putOnTop(tail, unread), unread: [] };
  return { ...tail, rows: unread, unread: [], older: unread.at(-1)!.cursor };
}

function putOnTop(tail: Tail, newest: readonly EventRowWire[]): Tail {
  const all = [...newest, ...tail.rows];
  const rows = all.slice(0, Math.max(mostRows, tail.rows.length));
  return { ...tail, rows, older: rows.length < all.length ? rows.at(-1)!.cursor : tail.older };
}

/** Puts those before a place below, unless the table ends elsewhere by now. */
export function addOlder(tail: Tail, before: string, { data, older }: EventRowsWire): Tail {
  return tail.older === before ? { ...tail, rows: [...tail.rows, ...data], older } : tail;
}
