/**
 * Converts PostgreSQL's `2026-03-02 07:14:31.12+00` to ISO 8601 with milliseconds. The session runs in UTC, so editing the text is enough. Parsing
 * into a Date and formatting it again costs ten times as much per row.
 */
export function parseTimestamp(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`timestamp is not in UTC: ${text}`);
  const fraction = text.charCodeAt(19) === 0x2e /* . */ ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
