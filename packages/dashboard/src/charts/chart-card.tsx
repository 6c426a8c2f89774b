import { useId, useState, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import '../components/page.css';
import '../components/table.css';
import './chart.css';

interface ChartTable {
  head: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly string[])[];
}

export interface ChartCardProps {
  title: string;
  /** Value, range, time: it follows the pointer, instead of a box that covers what it explains. */
  readout: ReactNode;
  tools?: ReactNode;
  legend?: ReactNode;
  /** The same in figures, made only when somebody asks for it. */
  table: () => ChartTable;
  children: ReactNode;
}

/** What every chart has around it. */
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
          {asTable ? 'Hide the table' : 'As table'}
        </Button>
      </div>
      {asTable && <FigureTable title={title} {...table()} />}
    </section>
  );
}

function FigureTable({ title, head, rows }: ChartTable & { title: string }) {
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={`${title} as table`}>
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

/** What a colour stands for. */
export function Legend({
  entries,
}: {
  entries: readonly { label: string; colour: string; line?: boolean }[];
}) {
  return (
    <ul className="legend">
      {entries.map(({ label, colour, line }) => (
        <li key={label}>
          <span
            className={line ? 'swatch line' : 'swatch'}
            style={{ background: `var(--${colour})` }}
            aria-hidden="true"
          />
          {label}
        </li>
      ))}
    </ul>
  );
}
