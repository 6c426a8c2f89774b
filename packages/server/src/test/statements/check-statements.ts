import type pg from 'pg';
import { compareRows, type Column } from './compare-row.ts';
import { Describer, type GetParser } from './describe-statement.ts';
import { findStatements, type StatementUse } from './find-statements.ts';
import type { Source } from './open-source.ts';

export interface StatementReport {
  statementCount: number;
  /** The number of prepared texts: a statement with alternatives has several. */
  prepared: number;
  /** The number of statements whose row type was compared. */
  compared: number;
  /** Each begins with a file and line. */
  problems: string[];
}

/** Prepares every statement of the source, compares its columns with its row type, and checks the list of exceptions. */
export async function checkStatements(
  source: Source,
  client: pg.Client,
  getParser: GetParser,
  exceptions: Readonly<Record<string, string>>,
): Promise<StatementReport> {
  const statements = findStatements(source);
  const describer = await Describer.open(client, getParser);
  const report: StatementReport = {
    statementCount: statements.length,
    prepared: 0,
    compared: 0,
    problems: [],
  };
  const needed = new Set<string>();
  for (const statement of statements) {
    const { at, place, row, usesRows } = statement;
    const { results, failures } = await describeAll(describer, statement);
    report.prepared += results.length;
    report.problems.push(...failures.map((failure) => `${at} ${failure}`));
    if (!canCompare(statement)) {
      needed.add(place);
      if (!(place in exceptions))
        report.problems.push(
          `${at} the source does not show what it runs or returns; resolve it, or name "${place}" in exceptions.ts`,
        );
    } else if (row) {
      report.compared += 1;
      report.problems.push(...compareRows(results, row).map((problem) => `${at} ${problem}`));
    } else if (usesRows && results.some((columns) => columns.length > 0)) {
      report.problems.push(`${at} rows are used that have no type`);
    }
  }
  for (const place of Object.keys(exceptions))
    if (!needed.has(place)) report.problems.push(`exceptions.ts names "${place}", which needs no exception`);
  return { ...report, problems: [...new Set(report.problems)] };
}

async function describeAll(
  describer: Describer,
  { texts }: StatementUse,
): Promise<{ results: Column[][]; failures: string[] }> {
  const results: Column[][] = [];
  const failures: string[] = [];
  for (const text of texts ?? []) {
    try {
      results.push(await describer.describe(text));
    } catch (error) {
      failures.push(`${(error as Error).message}, in: ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
    }
  }
  return { results, failures };
}

/** FETCH returns the columns of its cursor, which its text does not list. */
function canCompare({ texts }: StatementUse): boolean {
  return texts !== null && !texts.some((text) => /^\s*FETCH\b/i.test(text));
}
