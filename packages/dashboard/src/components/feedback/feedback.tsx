import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { curlOf, type Request } from '../../api/client/curl.ts';
import { ApiFailure, failureMessage } from '../../api/client/failure.ts';
import { Button } from '../controls/button.tsx';
import { CodeBlock } from '../code/code.tsx';
import '../page.css';

const icons = { info: Info, ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

export interface NoticeProps {
  tone?: keyof typeof icons;
  /** The problem in a few words. */
  title?: string;
  children?: ReactNode;
  /** The action that fixes it. */
  action?: ReactNode;
  /** Announced when it appears. */
  live?: boolean;
}

export function Notice({ tone = 'info', title, children, action, live }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`notice ${tone}`} role={live ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div className="notice-text">
        {title && <b>{title} </b>}
        {children}
      </div>
      {action}
    </div>
  );
}

export interface ErrorBoxProps {
  error: unknown;
  /** The action that failed: "Could not load keys." */
  title: string;
  onRetry?: () => void;
}

/** Shows what happened, what was saved and what to do, with the request id. */
export function ErrorBox({ error, title, onRetry }: ErrorBoxProps) {
  const requestId = error instanceof ApiFailure ? error.requestId : null;
  return (
    <Notice
      tone="bad"
      title={title}
      live
      action={
        onRetry && (
          <Button small onPress={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {failureMessage(error)}
      {requestId && (
        <>
          {' '}
          Request ID: <code>{requestId}</code>
        </>
      )}
    </Notice>
  );
}

export interface EmptyProps {
  /** What will appear here, in one sentence. */
  title: string;
  children?: ReactNode;
  /** The request that creates the first item. */
  request?: Request;
  action?: ReactNode;
  /** "Waiting for the first user". The page updates when it appears. */
  waiting?: string;
}

/** An empty state: what will appear here, and how to create the first item. */
export function Empty({ title, children, request, action, waiting }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {request && <CodeBlock text={curlOf(request, location.origin)} label="Command" />}
      {action}
      {waiting && (
        <p className="waiting" role="status">
          <span className="dot" aria-hidden="true" />
          {waiting}
        </p>
      )}
    </div>
  );
}

/** Placeholder blocks in the final size. They appear after 150 ms, so that fast loads show none. */
export function Skeleton({ heights, label = 'Loading' }: { heights: readonly number[]; label?: string }) {
  return (
    <div className="skeleton" role="status">
      <span className="unseen">{label}</span>
      {heights.map((height, at) => (
        // Blocks are all alike.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="bone" style={{ height }} />
      ))}
    </div>
  );
}
