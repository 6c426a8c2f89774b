/** The colour behind a token, for what is drawn rather than styled. */
export function tokenColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
