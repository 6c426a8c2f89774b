const busyPlaces =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';

/** Returns whether a key belongs to a text field, an open layer or the browser. */
export function isBusy(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return true;
  return event.target instanceof Element && event.target.closest(busyPlaces) !== null;
}
