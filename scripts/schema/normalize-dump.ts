const header = (major: string) =>
  `-- The schema that the migrations create, dumped from PostgreSQL ${major}. Written by \`npm run schema -- --write\`; never edit it.\n`;

/** The version that wrote a snapshot, from its header. */
export function majorIn(snapshot: string): string | null {
  return /^-- .* PostgreSQL (\d+)\./.exec(snapshot)?.[1] ?? null;
}

/** Removes from the output of pg_dump what differs between runs and minor versions, and settings that every restore makes. */
export function normalizeDump(dump: string): string {
  const major = /^-- Dumped from database version (\d+)/m.exec(dump)?.[1];
  if (major === undefined) throw new Error('this is not the output of pg_dump');
  const schema = dump
    .replaceAll('\r\n', '\n')
    .replaceAll(/^\\(?:un)?restrict .*\n/gm, '')
    .replaceAll(/^-- Dumped (?:from|by) .*\n/gm, '')
    .replaceAll(/^SET \w+ = .*;\n/gm, '')
    .replaceAll(/^SELECT pg_catalog\.set_config\('search_path', .*\);\n/gm, '')
    // pg_dump precedes every object with three comment lines that repeat its name.
    .replaceAll(/^--\n-- (?:Name: |PostgreSQL database dump).*\n--\n/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return `${header(major)}\n${schema}\n`;
}
