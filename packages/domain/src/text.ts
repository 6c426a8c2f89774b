/** Whether PostgreSQL can store `text` unchanged: without NUL and unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
