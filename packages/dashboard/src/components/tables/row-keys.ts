import { useEffect, useEffectEvent, type RefObject } from 'react';
import { isBusy } from '../../keyboard/busy.ts';
import { copyText } from '../feedback/copy.tsx';

/** Actions of keys on the focused row. */
export interface RowActions<Row> {
  /** `c`: the text to copy. */
  copy?: (row: Row) => string;
  /** `e`: explains the row. */
  explain?: (row: Row) => void;
}

export interface RowKeysProps<Row> extends RowActions<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** `j` and `k` move between table rows. `c` and `e` act on the focused row. Enter follows its link natively. */
export function useRowKeys<Row>(body: RefObject<HTMLElement | null>, props: RowKeysProps<Row>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isBusy(event) || !body.current) return;
    // With several tables, the one with focus applies, otherwise the first on the page.
    const inFocus = document.activeElement?.closest('[data-row]') ?? null;
    if (!body.current.contains(inFocus ?? document.querySelector('[data-row]'))) return;
    const elements = [...body.current.querySelectorAll<HTMLElement>('[data-row]')];
    const at = elements.findIndex((element) => element.contains(document.activeElement));
    if (event.key === 'j' || event.key === 'k') {
      const next = elements[event.key === 'j' ? at + 1 : Math.max(0, at - 1)];
      firstStop(next)?.focus();
      next?.scrollIntoView({ block: 'nearest' });
      event.preventDefault();
      return;
    }
    const key = elements[at]?.dataset['row'];
    const row = props.rows.find((one) => props.rowKey(one) === key);
    if (!row) return;
    if (event.key === 'c' && props.copy) void copyText(props.copy(row));
    if (event.key === 'e') props.explain?.(row);
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** The link of a row, or else its first focusable element. */
function firstStop(row: HTMLElement | undefined): HTMLElement | null | undefined {
  return (
    row?.querySelector<HTMLElement>('th a, th button') ??
    row?.querySelector<HTMLElement>('a, button, [tabindex="0"]')
  );
}
