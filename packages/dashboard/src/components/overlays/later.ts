import { createElement, useEffect, type ComponentType, type ReactNode } from 'react';
import { createStore, useStore } from '../external-store.ts';

/** A component that loads on demand. Renders nothing until it is loaded. */
export interface Later<Props> {
  (props: Props): ReactNode;
  /** Starts loading it ahead of time. */
  load: () => void;
}

/**
 * For components that open on a press. React's `lazy` delays even a loaded component by 300 ms on its first render: it suspends on a
 * promise, and React throttles how often it reveals suspended content.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  const part = createStore<ComponentType<Props> | null>(null);
  const loadOnce = () => {
    if (part.get() === null) void load().then(part.set, (error: unknown) => part.set(failWith(error)));
  };
  function LaterPart(props: Props) {
    const loaded = useStore(part);
    useEffect(loadOnce, []);
    return loaded && createElement(loaded, props);
  }
  return Object.assign(LaterPart, { load: loadOnce });
}

/** Throws the error during render, so that the surrounding error boundary catches it. */
function failWith(error: unknown): () => never {
  return () => {
    throw error;
  };
}
