import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Code that a document quotes from a file, which is named after the language: `ts file=examples/receiver.ts`. */
interface Quote {
  line: number;
  /** Relative to the document's folder. */
  file: string;
  code: string;
}

export function quotesIn(text: string): Quote[] {
  return [...text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)].map(({ index, 1: file, 2: code }) => ({
    line: text.slice(0, index).split('\n').length,
    file: file!,
    code: code!,
  }));
}

/** Lists quotes that are not an exact part of the file that they name. */
export async function findQuoteProblems(root: string, document: string, text: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { line, file, code } of quotesIn(text)) {
    const path = join(dirname(document), file);
    const source = await readFile(join(root, path), 'utf8').catch(() => null);
    if (source === null) problems.push(`${document}, line ${line} quotes ${path}, which does not exist`);
    else if (code.trim() === '' || !source.includes(code))
      problems.push(`${document}, line ${line} quotes ${path} incorrectly. Copy the code again`);
  }
  return problems;
}
