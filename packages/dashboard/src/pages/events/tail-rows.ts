import type { EventRowsWire, EventRowWire } from '@tributary/contract';

/** Limit for rows that arrive on their own. Rows the user loaded stay. */
export const mostRows = 200;

export interface Tail {
  /** Newest first. */
  rows: readonly EventRowWire[];
  /** Rows that arrived while the user was reading, newest first. */
  unread: readonly EventRowWire[];
  /** The cursor for older rows, or null at the end. */
  older: string | null;
  /** Whether the first page has loaded. Until then, an empty list does not mean that there are no events. */
  isRead: boolean;
  connection: 'connecting' | 'live' | 'lost';
}

export const emptyTail: Tail = { rows: [], unread: [], older: null, isRead: false, connection: 'connecting' };

/** Adds arrived rows, given oldest first, at the top, or holds them back while the user reads. */
export function addRows(tail: Tail, came: readonly EventRowWire[], isReading: boolean): Tail {
  const newest = came.toReversed();
  return isReading
    ? { ...tail, unread: [...newest, ...tail.unread].slice(0, mostRows) }
    : putOnTop(tail, newest);
}

/** Shows the rows held back. If there were too many, they replace the table, because rows in between may have been dropped. */
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

/** Appends rows before a cursor, unless the end of the table has changed since. */
export function addOlder(tail: Tail, before: string, { data, older }: EventRowsWire): Tail {
  return tail.older === before ? { ...tail, rows: [...tail.rows, ...data], older } : tail;
}
