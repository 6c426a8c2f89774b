import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { curlOf, type Request } from '../api/curl.ts';
import { ApiFailure, sayFailure } from '../api/failure.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './code.tsx';
import './page.css';

const icons = { info: Info, ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

export interface NoticeProps {
  tone?: keyof typeof icons;
  /** What is wrong, in a few words. */
  title?: string;
  children?: ReactNode;
  /** The remedy. */
  action?: ReactNode;
  /** Read out when it comes up. */
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
  /** What could not be done: "The keys could not be loaded." */
  title: string;
  onRetry?: () => void;
}

/** What happened, what was kept, what to do; with the id under which the server knows it. */
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
      {sayFailure(error)}
      {requestId && (
        <>
          {' '}
          Request <code>{requestId}</code>
        </>
      )}
    </Notice>
  );
}

export interface EmptyProps {
  /** What will be here, in one sentence. */
  title: string;
  children?: ReactNode;
  /** The request that makes the first one. */
  request?: Request;
  action?: ReactNode;
  /** "Waiting for the first user"; the page turns by itself. */
  waiting?: string;
}

/** Nothing here yet: says what will be, and how to make the first one. */
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

/** Blocks in the final size, after 150 ms: what loads faster shows none. */
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
