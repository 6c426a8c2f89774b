const busyPlaces =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a key belongs to something else: to a text, to an open layer, or to the browser. */
export function isBusy(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return true;
  return event.target instanceof Element && event.target.closest(busyPlaces) !== null;
}
