/** What a part said of itself at the end: bounds, planted faults, or its last line. */
export function summarize(output: string): string {
  const lines = output.trimEnd().split('\n');
  const told = lines.findLast((line) =>
    /^(All bounds kept|\d+ bounds broken|Planted faults?:?\b.* found)/i.test(line),
  );
  return told ?? lines.at(-1) ?? '';
}
