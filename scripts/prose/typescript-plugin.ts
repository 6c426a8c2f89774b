import { extname } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** A piece of prose in a source file, by its offsets. */
interface Span {
  start: number;
  end: number;
}

interface Position {
  line: number;
  column: number;
}

/** A textlint plugin that reads TypeScript: its paragraphs are comments, strings, template parts and JSX text that contain a space. */
export const typescriptPlugin = {
  Processor: class {
    availableExtensions(): string[] {
      return ['.ts', '.tsx'];
    }

    processor() {
      return {
        preProcess: (text: string, filePath = 'source.ts') => toDocument(text, findProse(filePath, text)),
        postProcess: (messages: unknown[], filePath = 'source.ts') => ({ messages, filePath }),
      };
    }
  },
};

/** Lists the comments, strings and JSX texts of a file that hold more than one word. */
function findProse(file: string, source: string): Span[] {
  const { program, comments } = parseSync(`source${extname(file)}`, source);
  const spans: Span[] = comments.map(({ start, end }) => ({ start: start + 2, end }));
  const add = ({ start, end }: Span) => void spans.push({ start, end });
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && add(node),
    TemplateElement: add,
    JSXText: add,
  }).visit(program);
  return spans.filter(({ start, end }) => /\w\s+\w/.test(source.slice(start, end)));
}

function toDocument(text: string, spans: readonly Span[]) {
  const positionOf = positions(text);
  const node = (type: string, { start, end }: Span) => ({
    type,
    raw: text.slice(start, end),
    range: [start, end],
    loc: { start: positionOf(start), end: positionOf(end) },
  });
  const children = spans
    .toSorted((one, other) => one.start - other.start)
    .map((span) => ({
      ...node('Paragraph', span),
      children: [{ ...node('Str', span), value: text.slice(span.start, span.end) }],
    }));
  return { ...node('Document', { start: 0, end: text.length }), children };
}

function positions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! };
  };
}
