import { searchOf, type Method, type Query } from './client.ts';

export interface Request {
  method: Method;
  path: string;
  query?: Query;
  body?: unknown;
}

/** The same request for a terminal. The key is named and never shown, so the text can be sent to anybody. */
export function curlOf({ method, path, query, body }: Request, origin: string): string {
  const lines = [`curl ${quote(origin + path + searchOf(query))}`];
  if (method !== 'GET') lines[0] = `curl -X ${method} ${quote(origin + path + searchOf(query))}`;
  lines.push('  -H "Authorization: Bearer $TRIBUTARY_KEY"');
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'");
    lines.push(`  -d ${quote(JSON.stringify(body))}`);
  }
  return lines.join(' \\\n');
}

/** As a shell takes it word for word. */
function quote(text: string): string {
  return /^[\w:/.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
