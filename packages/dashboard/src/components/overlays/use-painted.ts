import { startTransition, useEffect, useState } from 'react';

/**
 * Returns the value as of the last painted frame. Use the value itself for immediate feedback to a press, and this one for slow rendering,
 * so that the feedback is painted first. (React's `useDeferredValue` yields to presses but may render both in one frame.)
 */
export function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const follow = () => startTransition(() => setPainted(value));
    // Animation frame callbacks run before the frame is painted. A timer set in one runs after it.
    const frame = requestAnimationFrame(() => (timer = setTimeout(follow)));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}
