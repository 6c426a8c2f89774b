import type { OverviewWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { curlOf, type Request } from '../../api/client/curl.ts';
import { CodeBlock } from '../../components/code/code.tsx';
import { Card } from '../../components/page.tsx';

interface Step {
  title: string;
  isDone: boolean;
  waiting: string;
  request?: Request;
  children?: ReactNode;
}

/** Onboarding from zero to the first value. Each step completes without a reload. */
export function FirstRun({
  steps,
  environment,
}: {
  steps: OverviewWire['first_run'];
  environment: Environment;
}) {
  const list: readonly Step[] = [
    {
      title: 'Create an API key',
      isDone: steps.has_key,
      waiting: 'Waiting for the key',
      children: (
        <Link className="button" to="/$environment/keys" params={{ environment }}>
          Go to API keys
        </Link>
      ),
    },
    {
      title: 'Make your first request',
      isDone: steps.has_key_used,
      waiting: 'Waiting for the first request',
      request: { method: 'GET', path: '/v1/users' },
    },
    {
      title: 'Create a user',
      isDone: steps.has_user,
      waiting: 'Waiting for the first user',
      request: { method: 'POST', path: '/v1/users', body: { reference_id: 'customer-1042' } },
    },
    {
      title: environment === 'sandbox' ? 'Explore the sample data' : 'Connect a device',
      isDone: steps.has_data,
      waiting: 'Waiting for the first data',
      request: { method: 'POST', path: '/v1/users/{id}/devices', body: { provider: 'oura' } },
    },
  ];
  const current = list.findIndex(({ isDone }) => !isDone);
  return (
    <Card title="Get your first value in four steps">
      <ol className="first-run">
        {list.map(({ title, isDone, waiting, request, children }, at) => (
          <li
            key={title}
            aria-current={at === current ? 'step' : undefined}
            className={isDone ? 'done' : undefined}
          >
            <span className="step-mark" aria-hidden="true">
              {isDone ? <Check size={14} strokeWidth={3} /> : at + 1}
            </span>
            <div className="stack">
              <h3>
                {title}
                {isDone && <span className="unseen">: done</span>}
              </h3>
              {at === current && (
                <>
                  {request && <CodeBlock text={curlOf(request, location.origin)} label="Command" />}
                  {children}
                  <p className="waiting" role="status">
                    <span className="dot" aria-hidden="true" />
                    {waiting}
                  </p>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
