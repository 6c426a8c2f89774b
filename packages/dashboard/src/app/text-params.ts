/** Validates search parameters: keeps only these names, as text. The router parses digits as numbers, so they are converted back. */
export function keepTextParams<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string } => {
    const params: { [Key in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if ((typeof value === 'string' && value !== '') || typeof value === 'number')
        params[name] = String(value);
    }
    return params;
  };
}
