/** `+05:30` → 330. */
export function minutesOf(offset: string | undefined): number | null {
  if (offset === undefined) return null;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return offset.startsWith('-') ? -minutes : minutes;
}
