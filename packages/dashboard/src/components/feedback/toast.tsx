import { Check, CircleAlert } from 'lucide-react';
import { createStore, useStore } from '../external-store.ts';
import './toast.css';

interface Toast {
  id: number;
  text: string;
  failed: boolean;
}

const toasts = createStore<readonly Toast[]>([]);
const shownMs = 5_000;
let nextId = 1;

/** Briefly shows the outcome of an action. Important messages belong in the page instead. */
export function toast(text: string, { failed = false }: { failed?: boolean } = {}): void {
  const id = nextId++;
  toasts.set([...toasts.get(), { id, text, failed }]);
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), shownMs);
}

/** A live region that is always in the document, because screen readers do not announce one that appears with its text. */
export function Toasts() {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text, failed }) => (
        <div key={id} className="toast">
          {failed ? <CircleAlert size={16} aria-hidden /> : <Check size={16} aria-hidden />}
          {text}
        </div>
      ))}
    </div>
  );
}
