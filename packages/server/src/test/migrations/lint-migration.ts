import { parse } from 'libpg-query';

/** A statement that would block requests in proportion to the data, or that the previous release cannot work with. */
export interface MigrationProblem {
  statement: string;
  problem: string;
}

/** Put before a statement that is safe for a reason the linter cannot know: `-- Accepted for <table>: <reason>`. */
const acceptance = /^-- Accepted for (\w+): \S/gm;
/** The first line of a migration whose statements run one by one. */
const outside = '-- Outside a transaction.';

type Node = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- the parse tree of PostgreSQL has no types

/**
 * Statements of a migration that must not run while the previous release serves requests. Tables that the migration creates itself are empty, so
 * anything may be done to them.
 */
export async function lintMigration(sql: string): Promise<MigrationProblem[]> {
  const isOutside = sql.startsWith(outside);
  const { stmts } = (await parse(sql)) as {
    stmts: { stmt: Node; stmt_location?: number; stmt_len?: number }[];
  };
  const exempt = new Set([...sql.matchAll(acceptance)].map(([, table]) => table!));
  const bytes = Buffer.from(sql);
  const problems: MigrationProblem[] = [];
  for (const { stmt, stmt_location: from = 0, stmt_len: length } of stmts) {
    const [kind, body] = Object.entries(stmt)[0] as [string, Node];
    if (kind === 'CreateStmt') exempt.add(body['relation'].relname);
    const statement = bytes
      .subarray(from, length === undefined ? undefined : from + length)
      .toString()
      .trim();
    for (const problem of problemsOf(kind, body, exempt, isOutside)) problems.push({ statement, problem });
  }
  return problems;
}

function problemsOf(kind: string, body: Node, exempt: ReadonlySet<string>, isOutside: boolean): string[] {
  const table: string | undefined = body['relation']?.relname;
  if (kind === 'IndexStmt') return problemsOfIndex(body, exempt.has(table!), isOutside);
  if (isOutside && !isValidation(kind, body))
    return ['only CREATE INDEX CONCURRENTLY and VALIDATE CONSTRAINT run outside a transaction'];
  if (table !== undefined && exempt.has(table)) return [];
  switch (kind) {
    case 'AlterTableStmt':
      return body['cmds'].flatMap(({ AlterTableCmd }: Node) => problemsOfChange(AlterTableCmd, isOutside));
    case 'UpdateStmt':
    case 'DeleteStmt':
      return ['changes all rows in one transaction: do it in a job, in batches'];
    case 'InsertStmt':
      return body['selectStmt']?.SelectStmt?.fromClause
        ? ['copies rows in one transaction: do it in a job, in batches']
        : [];
    case 'RenameStmt':
      return [
        'renames what the previous release uses: add the new name, and drop the old one in a later release',
      ];
    case 'DropStmt':
      return problemsOfDrop(body, exempt);
    case 'DoStmt':
      return problemsOfBlock(JSON.stringify(body));
    case 'LockStmt':
    case 'TruncateStmt':
    case 'ClusterStmt':
    case 'ReindexStmt':
      return ['locks a table for as long as it takes'];
    case 'VacuumStmt':
      return ['must not run in a migration'];
    default:
      return [];
  }
}

function problemsOfIndex(index: Node, isExempt: boolean, isOutside: boolean): string[] {
  if (isOutside)
    return index['concurrent'] && index['if_not_exists']
      ? []
      : ['must be CREATE INDEX CONCURRENTLY IF NOT EXISTS, because it may be interrupted and repeated'];
  if (index['concurrent']) return [`needs a migration of its own that starts with \`${outside}\``];
  return isExempt
    ? []
    : [
        `blocks writes while the index is built: use CONCURRENTLY in a migration that starts with \`${outside}\``,
      ];
}

function problemsOfChange({ subtype, def }: Node, isOutside: boolean): string[] {
  switch (subtype) {
    case 'AT_AddColumn':
      return problemsOfColumn(def.ColumnDef.constraints ?? []);
    case 'AT_AlterColumnType':
      return ['rewrites the table: add a column, fill it in a job, and drop the old one in a later release'];
    case 'AT_SetNotNull':
      return [
        'reads the whole table under a lock: add a CHECK constraint NOT VALID, and validate it in another migration',
      ];
    case 'AT_AddConstraint':
      return def.Constraint.skip_validation || def.Constraint.indexname
        ? []
        : ['reads the whole table under a lock: add it NOT VALID, and validate it in another migration'];
    case 'AT_ValidateConstraint':
      return isOutside
        ? []
        : [`takes as long as reading the table: use a migration that starts with \`${outside}\``];
    case 'AT_DropColumn':
    case 'AT_DropConstraint':
      return [
        'the previous release may still use it: drop it in the release after, and accept it with the reason',
      ];
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
    case 'AT_SetTableSpace':
      return ['rewrites the table'];
    default:
      return [];
  }
}

function problemsOfColumn(constraints: readonly Node[]): string[] {
  const of = (type: string) => constraints.find(({ Constraint }) => Constraint.contype === type)?.Constraint;
  const value = of('CONSTR_DEFAULT')?.raw_expr;
  const problems: string[] = [];
  if (of('CONSTR_NOTNULL') && !value)
    problems.push('the previous release inserts rows without the column: give it a default');
  if (value && containsCall(value))
    problems.push('a default that is computed for each row rewrites the table: use a constant');
  if (of('CONSTR_GENERATED') || of('CONSTR_IDENTITY'))
    problems.push('computes a value for each row, which rewrites the table');
  for (const type of ['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_FOREIGN', 'CONSTR_CHECK'])
    if (of(type))
      problems.push(
        'reads the whole table under a lock: add the constraint NOT VALID in a statement of its own',
      );
  return problems;
}

/** Calls of a function may return another value for each row. */
function containsCall(expression: unknown): boolean {
  if (typeof expression !== 'object' || expression === null) return false;
  return (
    'FuncCall' in expression ||
    'SQLValueFunction' in expression ||
    Object.values(expression).some(containsCall)
  );
}

function problemsOfDrop({ removeType, objects, concurrent }: Node, exempt: ReadonlySet<string>): string[] {
  const names: string[] = objects.map((object: Node) => object['List']?.items.at(-1).String.sval);
  if (removeType === 'OBJECT_INDEX' && concurrent) return [];
  if (!['OBJECT_TABLE', 'OBJECT_INDEX', 'OBJECT_VIEW'].includes(removeType)) return [];
  return names.every((name) => exempt.has(name))
    ? []
    : ['the previous release may still use it: drop it in the release after, and accept it with the reason'];
}

/** Statements in blocks of PL/pgSQL are text, so only the obvious ones are recognized. */
function problemsOfBlock(text: string): string[] {
  return /\b(?:UPDATE|DELETE FROM|CREATE (?:UNIQUE )?INDEX|ALTER COLUMN|DROP (?:TABLE|COLUMN)|SET NOT NULL)\b/i.test(
    text,
  )
    ? ['contains a statement that may block requests: move it out of the block']
    : [];
}

function isValidation(kind: string, body: Node): boolean {
  return (
    kind === 'AlterTableStmt' &&
    body['cmds'].every(({ AlterTableCmd }: Node) => AlterTableCmd.subtype === 'AT_ValidateConstraint')
  );
}
