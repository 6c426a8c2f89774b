/** These functions run in the browser and cannot refer to this file. */

export interface Stop {
  id: string;
  html: string;
  isMarked: boolean;
  isInSight: boolean;
}

/** Numbers all elements the Tab key should reach, and moves focus before the first. */
export function findStops(): { id: string; html: string }[] {
  const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]');
  const stops = [...all].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true }) &&
      isFirstOfGroup(element),
  );
  /** Arrow keys move inside a group. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only the outer function is sent to the browser
  function isFirstOfGroup(element: HTMLElement): boolean {
    const group = element.closest('[role=radiogroup], [role=toolbar]');
    return !group || group.querySelector('button:not(:disabled)') === element;
  }
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  return stops.map((element, at) => {
    element.dataset['stop'] = String(at);
    return { id: String(at), html: element.outerHTML.slice(0, 200) };
  });
}

/** Returns the focused stop, whether it has a visible focus ring, and whether it is in view. */
export function markOf(): Stop | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element.dataset['stop'] === undefined) return null;
  const marked = element.closest('[data-focus-visible]') ?? element;
  // A checkbox has its ring on the element that represents it.
  const isMarked = [marked, ...marked.children].some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  });
  const { top, bottom, left, right } = marked.getBoundingClientRect();
  return {
    id: element.dataset['stop'],
    html: element.outerHTML.slice(0, 200),
    isMarked,
    isInSight: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
  };
}

/** Returns the ids of stops that are still in the page and focusable. */
export function stopsStillThere(): string[] {
  const all = [...document.querySelectorAll<HTMLElement>('[data-stop]')];
  return all.filter(({ tabIndex }) => tabIndex >= 0).map((element) => element.dataset['stop']!);
}
