import { useId, type ReactNode } from 'react';
import { dayAndTime, relativeTime } from '../words/time.ts';
import './tip.css';

export interface TipProps {
  text: string;
  /** Where it would leave the screen at the right. */
  end?: boolean;
  /** Marks the words themselves, for a value that has more to say. */
  marked?: boolean;
  children: ReactNode;
}

/** More about what stands there, on hover and on focus. */
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

/** How long ago; the exact moment on hover and focus. */
export function Time({ at, end }: { at: string; end?: boolean }) {
  return (
    <Tip text={dayAndTime(at)} end={end ?? false}>
      <time dateTime={at}>{relativeTime(at)}</time>
    </Tip>
  );
}

/** Nothing there, and why. */
export function None({ reason }: { reason: string }) {
  return (
    <Tip text={reason}>
      <span className="quiet">–</span>
    </Tip>
  );
}
