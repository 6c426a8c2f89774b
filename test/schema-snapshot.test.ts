import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPgDump } from '../scripts/schema/dump-schema.ts';
import { formatDifferences } from '../scripts/schema/format-differences.ts';
import { majorIn, normalizeDump } from '../scripts/schema/normalize-dump.ts';

const dump = (token: string, minor: string) => `--
-- PostgreSQL database dump
--

\\restrict ${token}

-- Dumped from database version ${minor} (Debian ${minor}-0+deb12u1)
-- Dumped by pg_dump version ${minor} (Debian ${minor}-0+deb12u1)

SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
SET default_tablespace = '';

--
-- Name: widgets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.widgets (
    id uuid NOT NULL
);


--
-- Name: name_widget(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.name_widget() RETURNS void
    LANGUAGE sql
    AS $$ UPDATE widgets
  SET id = id; -- a comment of our own
$$;


--
-- PostgreSQL database dump complete
--

\\unrestrict ${token}
`;

test('normalizes two dumps of one schema to the same snapshot, without the additions of pg_dump', () => {
  const snapshot = normalizeDump(dump('5k2', '15.14'));
  expect(normalizeDump(dump('9z7', '15.19'))).toBe(snapshot);
  expect(majorIn(snapshot)).toBe('15');
  expect(snapshot.slice(snapshot.indexOf('\n') + 1)).toBe(`
CREATE TABLE public.widgets (
    id uuid NOT NULL
);

CREATE FUNCTION public.name_widget() RETURNS void
    LANGUAGE sql
    AS $$ UPDATE widgets
  SET id = id; -- a comment of our own
$$;
`);
});

test('describes a stale snapshot by the lines that differ, with context', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const before = lines.join('\n');
  const after = lines.with(3, 'new').toSpliced(15, 1).join('\n');
  expect(formatDifferences(before, before)).toEqual([]);
  expect(formatDifferences(before, after)).toEqual([
    '    line 0',
    '    line 1',
    '    line 2',
    '  - line 3',
    '  + new',
    '    line 4',
    '    line 5',
    '    line 6',
    '  …',
    '    line 12',
    '    line 13',
    '    line 14',
    '  - line 15',
    '    line 16',
    '    line 17',
    '    line 18',
  ]);
});

test('reports a PostgreSQL without pg_dump', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  try {
    const [postgres, initdb, psql] = ['postgres', 'initdb', 'psql'].map((name) => join(folder, name));
    writeFileSync(postgres!, '');
    const binaries = { postgres: { postgres: postgres!, initdb: initdb!, psql: psql! } };
    expect(() => findPgDump(binaries)).toThrow(`pg_dump is missing next to postgres in ${folder}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
