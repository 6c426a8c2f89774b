import { useId, type ReactNode } from 'react';
import { dayAndTime, relativeTime } from '../../words/time.ts';
import './tip.css';

export interface TipProps {
  text: string;
  /** Aligns to the right edge, where it would otherwise leave the screen. */
  end?: boolean;
  /** Underlines the text to show that a value has details. */
  marked?: boolean;
  children: ReactNode;
}

/** Details on hover and focus. */
export function Tip({ text, end, marked, children }: TipProps) {
  const id = useId();
  return (
    <span className={marked ? 'tip-host word' : 'tip-host'} tabIndex={0} role="note" aria-describedby={id}>
      {children}
      <span id={id} role="tooltip" className={end ? 'tip end' : 'tip'}>
        {text}
      </span>
    </span>
  );
}

/** A relative time, with the exact time on hover and focus. */
export function Time({ at, end }: { at: string; end?: boolean }) {
  return (
    <Tip text={dayAndTime(at)} end={end ?? false}>
      <time dateTime={at}>{relativeTime(at)}</time>
    </Tip>
  );
}

/** A missing value and its reason. */
export function None({ reason }: { reason: string }) {
  return (
    <Tip text={reason}>
      <span className="quiet">–</span>
    </Tip>
  );
}
