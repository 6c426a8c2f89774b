import { useEffect, useEffectEvent } from 'react';
import { isBusy } from './busy.ts';

/** How long `g` waits for its letter. */
const pairMs = 1_000;

export interface Shortcuts {
  onPalette: () => void;
  onHelp: () => void;
  /** `g` and then a letter; says whether the letter led anywhere. */
  onGo: (letter: string) => boolean;
}

/** The keys that work on every page. */
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
        // The second letter of a pair means nothing else, such as `e` for the row in focus.
        event.stopImmediatePropagation();
      }
    }
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

/** As it is written on the keyboard at hand. */
export function paletteKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}

/** What `?` lists. */
export const keyTable: readonly { keys: readonly string[]; does: string }[] = [
  { keys: [paletteKey(), '/'], does: 'Find anything' },
  { keys: ['j', 'k'], does: 'Next and previous row' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['c'], does: 'Copy its id' },
  { keys: ['e'], does: 'Explain its value' },
  { keys: ['Esc'], does: 'Close what is on top' },
  { keys: ['?'], does: 'This list' },
];
