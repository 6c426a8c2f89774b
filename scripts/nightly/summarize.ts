/** The verdict that a part printed: bounds or planted faults, otherwise its last line. */
export function summarize(output: string): string {
  const lines = output.trimEnd().split('\n');
  const verdict = lines.findLast((line) =>
    /^(All bounds kept|\d+ bounds broken|Planted faults?:?\b.* found)/i.test(line),
  );
  return verdict ?? lines.at(-1) ?? '';
}
