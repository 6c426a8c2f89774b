import { createElement, useEffect, type ComponentType, type ReactNode } from 'react';
import { createStore, useStore } from './external-store.ts';

/** A part of a page that is loaded when somebody is about to need it. Shows nothing until it is there. */
export interface Later<Props> {
  (props: Props): ReactNode;
  /** Has it ready before it is shown. */
  load: () => void;
}

/**
 * For what opens at a press. React's `lazy` holds even a part that was loaded before back for 300 ms, when it is shown for the first time:
 * it has to wait for a promise, and what was waited for is revealed in no quicker a rhythm than that.
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

/** Fails where the part would stand, as what is around it expects. */
function failWith(error: unknown): () => never {
  return () => {
    throw error;
  };
}
