import { searchOf, type Method, type Query } from './client.ts';

export interface Request {
  method: Method;
  path: string;
  query?: Query;
  body?: unknown;
}

/** Returns the same request as a curl command. The key is a variable, so the text is safe to share. */
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

/** Quotes text for the shell. */
function quote(text: string): string {
  return /^[\w:/.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
