import type { ReactNode } from 'react';
import './badge.css';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info';

/** For unusual states: filled, and always with text. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** For usual states: a dot and plain text. */
export function State({ tone = 'ok', children }: { tone?: 'ok' | 'plain'; children: ReactNode }) {
  return (
    <span className={`state ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** An API identifier as it is written there. */
export function Chip({ children }: { children: ReactNode }) {
  return <code className="chip">{children}</code>;
}

/** A count. `of` describes it for screen readers. */
export function Count({ value, of, bad }: { value: number; of: string; bad?: boolean }) {
  return (
    <span className={bad ? 'count bad' : 'count'}>
      {value}
      <span className="unseen"> {of}</span>
    </span>
  );
}

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}

/** Initials of a name. Decorates the name beside it. */
export function Avatar({ name, square }: { name: string; square?: boolean }) {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  const letters = words.length > 1 ? words[0]![0]! + words[1]![0]! : name.slice(0, 2);
  return (
    <span className={square ? 'avatar square' : 'avatar'} aria-hidden="true">
      {square ? letters.toLowerCase() : letters.toUpperCase()}
    </span>
  );
}
