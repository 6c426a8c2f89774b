import { useId, useState, type ReactNode } from 'react';
import { Button } from '../components/controls/button.tsx';
import '../components/page.css';
import '../components/tables/table.css';
import './chart.css';

interface ChartTable {
  head: readonly string[];
  /** The first cell is the row header. */
  rows: readonly (readonly string[])[];
}

export interface ChartCardProps {
  title: string;
  /** Value, range and time under the pointer. Shown above the chart, because a tooltip would cover the data. */
  readout: ReactNode;
  tools?: ReactNode;
  legend?: ReactNode;
  /** The same data as a table, built on demand. */
  table: () => ChartTable;
  children: ReactNode;
}

/** The frame of every chart. */
export function ChartCard({ title, readout, tools, legend, table, children }: ChartCardProps) {
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <section className="card chart" aria-labelledby={id}>
      <div className="card-head">
        <div>
          <h2 id={id}>{title}</h2>
          <div className="chart-readout">{readout}</div>
        </div>
        {tools}
      </div>
      {children}
      <div className="chart-foot">
        {legend}
        <Button kind="link" aria-expanded={asTable} onPress={() => setAsTable(!asTable)}>
          {asTable ? 'Hide table' : 'Show table'}
        </Button>
      </div>
      {asTable && <FigureTable title={title} {...table()} />}
    </section>
  );
}

function FigureTable({ title, head, rows }: ChartTable & { title: string }) {
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={`${title} table`}>
      <table className="table" aria-label={title}>
        <thead>
          <tr>
            {head.map((word, at) => (
              <th key={word} scope="col" className={at === 0 ? undefined : 'number'}>
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={head[at + 1]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Explains the meaning of a color. */
export function Legend({
  entries,
}: {
  entries: readonly { label: string; color: string; line?: boolean }[];
}) {
  return (
    <ul className="legend">
      {entries.map(({ label, color, line }) => (
        <li key={label}>
          <span
            className={line ? 'swatch line' : 'swatch'}
            style={{ background: `var(--${color})` }}
            aria-hidden="true"
          />
          {label}
        </li>
      ))}
    </ul>
  );
}
