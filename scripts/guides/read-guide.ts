/** What a guide shows as the answer to a command. */
export interface ShownOutput {
  language: 'json' | 'text';
  text: string;
  /** Where the text stands in the guide. */
  start: number;
  end: number;
}

/** A block of commands, with the answer that the guide shows directly under it. */
export interface GuideStep {
  line: number;
  commands: string;
  shown: ShownOutput | null;
}

/** Reads the blocks of a guide that can be run. Blocks of other languages belong to the step directly before them, or to none. */
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
