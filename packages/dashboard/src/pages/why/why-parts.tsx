import type { ReactNode } from 'react';
import type { Request } from '../../api/curl.ts';
import { Curl } from '../../components/command.tsx';
import { ErrorBox, Notice, Skeleton } from '../../components/feedback.tsx';

/** What is explained, large. */
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

/** Where the same answer comes from, and at the left where to go from here. */
export function WhyFoot({ request, children }: { request: Request; children?: ReactNode }) {
  return (
    <div className="why-foot">
      <span>{children}</span>
      <Curl {...request} />
    </div>
  );
}

export function WhyWaiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error) return <ErrorBox error={error} title="The reasons could not be loaded." onRetry={onRetry} />;
  return <Skeleton heights={[60, 90, 110, 110]} label="Loading the reasons" />;
}

export function RebuildNotice() {
  return (
    <Notice title="Being worked in.">
      A change of settings or devices is still on its way: the value is of before, the reasons are of after.
    </Notice>
  );
}
