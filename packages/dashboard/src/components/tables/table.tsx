import { memo, useRef, type ReactNode, type Ref } from 'react';
import './table.css';
import { useRowKeys, type RowActions } from './row-keys.ts';

export interface Column<Row> {
  key: string;
  label: string;
  /** Aligns numbers to the right. */
  number?: boolean;
  /** Hidden on narrow screens. */
  wideOnly?: boolean;
  /** For columns of buttons, whose purpose is visible. Screen readers still read the label. */
  isLabelHidden?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface TableProps<Row> extends RowActions<Row> {
  label: string;
  /** The first column is the link to the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row that a panel is open for. */
  currentKey?: string | null;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, currentKey } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, props);
  return (
    <div className="table-scroll">
      <table className="table" aria-label={label}>
        <TableHead columns={columns} />
        <tbody ref={body}>
          {rows.map((row) => {
            const id = rowKey(row);
            return <TableRow key={id} {...{ id, columns, row }} isCurrent={id === currentKey} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

export function TableHead<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" className={classOf(column)}>
            {column.isLabelHidden ? <span className="unseen">{column.label}</span> : column.label}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface TableRowProps<Row> {
  id: string;
  columns: readonly Column<Row>[];
  row: Row;
  isCurrent: boolean;
  index?: number;
  rowRef?: Ref<HTMLTableRowElement>;
}

/** Memoized, so that opening a panel for one row does not render the others again. */
export const TableRow = memo(function TableRow<Row>(props: TableRowProps<Row>) {
  const { id, columns, row, isCurrent, index, rowRef } = props;
  const [first, ...others] = columns;
  return (
    <tr
      ref={rowRef}
      data-row={id}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-current={isCurrent ? '' : undefined}
    >
      <th scope="row" className={classOf(first!)}>
        {first!.cell(row)}
      </th>
      {others.map((column) => (
        <td key={column.key} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

function classOf<Row>({ number, wideOnly }: Column<Row>): string | undefined {
  return [number && 'number', wideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined;
}
