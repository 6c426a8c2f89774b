/** The response that a guide shows for a command. */
export interface ShownOutput {
  language: 'json' | 'text';
  text: string;
  /** Offset of the text in the guide. */
  start: number;
  end: number;
}

/** A block of commands, with the response that the guide shows directly below it. */
export interface GuideStep {
  line: number;
  commands: string;
  shown: ShownOutput | null;
}

/** Reads the runnable blocks of a guide. A block in another language belongs to the step directly before it, or to none. */
export function readGuide(guide: string): GuideStep[] {
  const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap((block, at) => {
    if (block[1] !== 'sh') return [];
    const next = blocks[at + 1];
    const isDirectlyUnder = next && guide.slice(block.index + block[0].length, next.index).trim() === '';
    const line = guide.slice(0, block.index).split('\n').length;
    return [{ line, commands: block[2]!, shown: isDirectlyUnder ? readOutput(next) : null }];
  });
}

function readOutput(block: RegExpExecArray): ShownOutput | null {
  const [all, language, text] = block as unknown as [string, string, string];
  if (language !== 'json' && language !== 'text') return null;
  const start = block.index + all.indexOf('\n') + 1;
  return { language, text, start, end: start + text.length };
}
