/** What an address may ask of a page: these words, and nothing else. Digits alone are a word too, though the router reads them as a number. */
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
