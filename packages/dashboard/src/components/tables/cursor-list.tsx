import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { number } from '../../words/time.ts';
import { Button } from '../controls/button.tsx';
import { useRowKeys } from './row-keys.ts';
import './table.css';
import { TableHead, TableRow, type TableProps } from './table.tsx';

export interface CursorListProps<Row> extends TableProps<Row> {
  /** Whether there is another page. */
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  /** The number of dropped rows before these, and how to load the last of them again. */
  before?: { count: number; onMore: () => void };
  /** The plural noun of the rows, for the line at the end: "users". */
  noun: string;
}

/** A table that loads more rows by cursor while scrolling and renders only the visible ones. */
export function CursorList<Row>(props: CursorListProps<Row>) {
  const { label, columns, rows, rowKey, currentKey, hasMore, isLoading, onMore, noun, before } = props;
  const missing = before?.count ?? 0;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current ? body.current.getBoundingClientRect().top + scrollY : 0), []);
  useRowKeys(body, props);
  const virtual = useWindowVirtualizer({
    count: missing + rows.length,
    estimateSize: () => 40,
    overscan: 12,
    scrollMargin: top,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  const atEnd = last !== undefined && last.index >= missing + rows.length - 10;
  const atStart = missing > 0 && items[0] !== undefined && items[0].index < missing + 10;
  const onBefore = before?.onMore;
  useEffect(() => {
    if (isLoading) return;
    if (atStart) onBefore?.();
    else if (atEnd && hasMore) onMore();
  }, [atStart, atEnd, hasMore, isLoading, onBefore, onMore]);
  const above = items[0] ? items[0].start - top : 0;
  const after = last ? virtual.getTotalSize() - (last.end - top) : 0;
  return (
    <>
      <div className="table-scroll">
        <table className="table" aria-label={label} aria-rowcount={hasMore ? -1 : missing + rows.length + 1}>
          <TableHead columns={columns} />
          <tbody ref={body}>
            {above > 0 && <Spacer height={above} columns={columns.length} />}
            {items.map((item) => {
              const row = rows[item.index - missing];
              return row === undefined ? (
                <Spacer key={item.key} height={item.size} columns={columns.length} />
              ) : (
                <TableRow
                  key={item.key}
                  {...{ columns, row }}
                  id={rowKey(row)}
                  isCurrent={rowKey(row) === currentKey}
                  index={item.index}
                  rowRef={virtual.measureElement}
                />
              );
            })}
            {after > 0 && <Spacer height={after} columns={columns.length} />}
          </tbody>
        </table>
      </div>
      <div className="list-foot" role="status">
        {isLoading ? 'Loading more' : hasMore ? null : endOfListText(missing + rows.length, noun)}
        {hasMore && !isLoading && (
          <Button small onPress={onMore}>
            Show more {noun}
          </Button>
        )}
      </div>
    </>
  );
}

function endOfListText(count: number, noun: string): string {
  return count === 1 ? 'End of list' : `All ${number(count)} ${noun}`;
}

/** Takes the space of rows that are not rendered. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    <tr className="spacer" aria-hidden="true">
      <td colSpan={columns + 1} style={{ height }} />
    </tr>
  );
}
