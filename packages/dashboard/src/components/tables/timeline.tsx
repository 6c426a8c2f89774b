import type { ReactNode } from 'react';
import type { Tone } from '../feedback/badge.tsx';
import '../page.css';
import { Time } from '../overlays/tip.tsx';

export interface Happening {
  id: string;
  at: string;
  title: ReactNode;
  detail?: ReactNode;
  tone?: Tone;
}

/** A list of events in order. */
export function Timeline({ label, happenings }: { label: string; happenings: readonly Happening[] }) {
  return (
    <ol className="timeline" aria-label={label}>
      {happenings.map(({ id, at, title, detail, tone = 'plain' }) => (
        <li key={id} className={tone}>
          <span>{title}</span>
          {detail && <span className="quiet">{detail}</span>}
          <small>
            <Time at={at} />
          </small>
        </li>
      ))}
    </ol>
  );
}

export interface Change {
  id: string;
  label: ReactNode;
  before: ReactNode;
  after: ReactNode;
}

/** Values before and after a change, side by side. */
export function Diff({ summary, changes }: { summary: string; changes: readonly Change[] }) {
  return (
    <table className="diff">
      <caption>{summary}</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ id, label, before, after }) => (
          <tr key={id}>
            <th scope="row">{label}</th>
            <td>
              <del>{before}</del>
            </td>
            <td>
              <ins>{after}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
