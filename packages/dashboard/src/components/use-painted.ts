import { startTransition, useEffect, useState } from 'react';

/**
 * The value as of the last frame that was painted. What answers a press follows the value itself; what takes long to draw follows this one, so
 * that the press is seen to be answered first. (React's `useDeferredValue` gives way to presses, but may draw both into one frame.)
 */
export function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const follow = () => startTransition(() => setPainted(value));
    // A frame's own callbacks run before it is painted, and a timer that they set after.
    const frame = requestAnimationFrame(() => (timer = setTimeout(follow)));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}
