import type { MailBlock, MailContent } from './mail-content.ts';

const width = 72;

/** Renders the mail as plain text, with lines of at most 72 characters and links on their own lines. */
export function renderText({ blocks }: MailContent): string {
  return `${blocks.map(renderBlock).join('\n\n')}\n`;
}

function renderBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'note':
      return wrap(block.text);
    case 'list':
      return block.items.map((item) => wrap(item, '- ', '  ')).join('\n');
    case 'button':
      // A link broken over two lines does not open.
      return `${wrap(`${block.label}:`)}\n${block.url}`;
    default:
      return block satisfies never;
  }
}

function wrap(text: string, first = '', next = ''): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}
