const most = 20;

/** Up to 20 lines that only one of two texts has. If only the order changed, the first line that moved. */
export function showDifferences(before: string, after: string): string {
  const [old, current] = [before.split('\n'), after.split('\n')];
  const lines = [
    ...old.filter((line) => !current.includes(line)).map((line) => `- ${line}`),
    ...current.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
  if (lines.length === 0) {
    const at = current.findIndex((line, index) => line !== old[index]);
    lines.push(`line ${at + 1} should be: ${current[at] ?? '(the end)'}`);
  }
  const rest = lines.length - most;
  return [...lines.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
