import type { ReactNode } from 'react';
import type { Request } from '../../api/client/curl.ts';
import { Curl } from '../../components/overlays/command.tsx';
import { ErrorBox, Notice, Skeleton } from '../../components/feedback/feedback.tsx';

/** The explained value, large. */
export function WhyValue({ value, unit, about }: { value: string; unit?: string; about: ReactNode }) {
  return (
    <div>
      <p className="why-value">
        {value}
        {unit && <small>{unit}</small>}
      </p>
      <p className="quiet">{about}</p>
    </div>
  );
}

export function WhySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="why-section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** The equivalent request, with links to continue on the left. */
export function WhyFoot({ request, children }: { request: Request; children?: ReactNode }) {
  return (
    <div className="why-foot">
      <span>{children}</span>
      <Curl {...request} />
    </div>
  );
}

export function WhyWaiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error) return <ErrorBox error={error} title="Could not load explanation." onRetry={onRetry} />;
  return <Skeleton heights={[60, 90, 110, 110]} label="Loading explanation" />;
}

export function RebuildNotice() {
  return (
    <Notice title="Recalculating.">
      The value shown predates your last change; the explanation already includes it.
    </Notice>
  );
}
