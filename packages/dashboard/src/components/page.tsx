import { ChevronRight } from 'lucide-react';
import { useEffect, useId, type ReactNode } from 'react';
import './page.css';

export interface PageHeadProps {
  title: string;
  /** Shown beside the title: a state or a badge. */
  mark?: ReactNode;
  /** One line about the page, or the id and key facts. */
  lead?: ReactNode;
  /** Breadcrumbs as links. */
  crumbs?: readonly ReactNode[];
  actions?: ReactNode;
}

export function PageHead({ title, mark, lead, crumbs, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} – Tributary`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        {crumbs && <Crumbs crumbs={crumbs} title={title} />}
        <h1>
          {title}
          {mark}
        </h1>
        {lead && <div className="page-lead">{lead}</div>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}

function Crumbs({ crumbs, title }: { crumbs: readonly ReactNode[]; title: string }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="crumbs">
        {crumbs.map((crumb, at) => (
          // Breadcrumbs never change their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            {crumb}
            <ChevronRight size={12} aria-hidden />
          </li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}

export interface CardProps {
  title?: string;
  mark?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  /** Whether the content has padding. Tables have none. */
  padded?: boolean;
  children: ReactNode;
}

export function Card({ title, mark, note, actions, padded = true, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="card-head">
          <div>
            <h2 id={id}>
              {title}
              {mark}
            </h2>
            {note && <p>{note}</p>}
          </div>
          {actions && <div className="row">{actions}</div>}
        </div>
      )}
      {padded ? <div className="card-body">{children}</div> : children}
    </section>
  );
}

export interface StatProps {
  label: string;
  value: string;
  unit?: string;
  note?: ReactNode;
  /** A small chart under the value. */
  children?: ReactNode;
}

/** A figure with its label and trend. */
export function Stat({ label, value, unit, note, children }: StatProps) {
  const id = useId();
  return (
    <section className="card stat" aria-labelledby={id}>
      <h2 id={id} className="stat-label">
        {label}
      </h2>
      <p className="stat-value">
        {value}
        {unit && <small>{unit}</small>}
      </p>
      {children}
      {note && <p className="stat-note">{note}</p>}
    </section>
  );
}
