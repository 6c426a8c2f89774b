import { useEffect, useEffectEvent } from 'react';
import { isBusy } from './busy.ts';

/** How long `g` waits for its letter. */
const pairMs = 1_000;

export interface Shortcuts {
  onPalette: () => void;
  onHelp: () => void;
  /** Handles `g` followed by a letter. Returns whether the letter leads to a page. */
  onGo: (letter: string) => boolean;
}

/** Shortcuts available on every page. */
export function useShortcuts({ onPalette, onHelp, onGo }: Shortcuts): void {
  const act = useEffectEvent((event: KeyboardEvent, afterG: boolean): boolean => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') return (onPalette(), true);
    if (isBusy(event)) return false;
    if (afterG) return onGo(event.key);
    if (event.key === '/') return (onPalette(), true);
    if (event.key === '?') return (onHelp(), true);
    return false;
  });
  useEffect(() => {
    let lastG = Number.NEGATIVE_INFINITY;
    function onKey(event: KeyboardEvent) {
      const afterG = event.timeStamp - lastG < pairMs;
      lastG = event.key === 'g' && !isBusy(event) ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (act(event, afterG)) {
        event.preventDefault();
        // The second letter of a pair must not trigger another shortcut, such as `e` for the focused row.
        event.stopImmediatePropagation();
      }
    }
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

/** The palette shortcut as written on this platform's keyboard. */
export function paletteKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}

/** The list that `?` shows. */
export const keyTable: readonly { keys: readonly string[]; does: string }[] = [
  { keys: [paletteKey(), '/'], does: 'Search' },
  { keys: ['j', 'k'], does: 'Next or previous row' },
  { keys: ['Enter'], does: 'Open row' },
  { keys: ['c'], does: 'Copy row ID' },
  { keys: ['e'], does: 'Explain value' },
  { keys: ['Esc'], does: 'Close dialog or panel' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
];
