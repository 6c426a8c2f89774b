import type { ReactNode } from 'react';
import './badge.css';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info';

/** For the unusual: filled, and always with a word. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** For the usual: a dot and plain text. */
export function State({ tone = 'ok', children }: { tone?: 'ok' | 'plain'; children: ReactNode }) {
  return (
    <span className={`state ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** A word of the API, as it is written there. */
export function Chip({ children }: { children: ReactNode }) {
  return <code className="chip">{children}</code>;
}

/** How many; `of` says what, to those who cannot see where it stands. */
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

/** The first letters of a name; it only decorates the name beside it. */
export function Avatar({ name, square }: { name: string; square?: boolean }) {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  const letters = words.length > 1 ? words[0]![0]! + words[1]![0]! : name.slice(0, 2);
  return (
    <span className={square ? 'avatar square' : 'avatar'} aria-hidden="true">
      {square ? letters.toLowerCase() : letters.toUpperCase()}
    </span>
  );
}
