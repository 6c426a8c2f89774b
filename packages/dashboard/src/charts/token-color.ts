/** Returns the color of a token, for canvas drawing. */
export function tokenColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
