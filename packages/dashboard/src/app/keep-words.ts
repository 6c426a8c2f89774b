/** Validates search parameters: keeps only these names, as text. The router parses digits as numbers, so they are converted back. */
export function keepWords<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string } => {
    const kept: { [Key in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if ((typeof value === 'string' && value !== '') || typeof value === 'number')
        kept[name] = String(value);
    }
    return kept;
  };
}
