import type { Fields } from './row-type.ts';

/** A column of a statement's result. */
export interface Column {
  name: string;
  /** PostgreSQL's type name, for messages. */
  type: string;
  /** The parsed type of a value: `string`, `number`, `boolean`, `Date`, `Buffer`, `json`, or `array of …`. */
  kind: string;
  /** Whether it can be null; null when unknown. */
  isNullable: boolean | null;
}

const ofJson = /^(?:string|number|boolean|null|json|array of .*)$/;

/**
 * Compares the result columns of a statement with its row type and returns the problems. A statement with several texts has several
 * results: a field may be null when one of them can be.
 */
export function compareRows(results: readonly (readonly Column[])[], fields: Fields): string[] {
  const problems = new Set(results.flatMap((columns) => compareRow(columns, fields)));
  const [first = [], ...rest] = results;
  for (const { name, isNullable } of first)
    if (
      isNullable === false &&
      fields.get(name)?.kinds.has('null') &&
      rest.every((columns) => columns.some((column) => column.name === name && column.isNullable === false))
    )
      problems.add(`field ${name} may be null, but the column is NOT NULL`);
  return [...problems];
}

function compareRow(columns: readonly Column[], fields: Fields): string[] {
  const problems: string[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  for (const [name, { isOptional }] of fields)
    if (!isOptional && !byName.has(name)) problems.push(`field ${name} is missing from the result`);
  for (const column of columns) {
    const field = fields.get(column.name);
    if (field) problems.push(...compareField(column, field.kinds));
    else problems.push(`column ${column.name} (${column.type}) is no field of the row type`);
  }
  return problems;
}

function compareField({ name, type, kind, isNullable }: Column, kinds: ReadonlySet<string>): string[] {
  if (kinds.has('any')) return [];
  const problems: string[] = [];
  const wrong = [...kinds].filter((one) =>
    kind === 'json' ? !ofJson.test(one) : one !== kind && one !== 'null' && !isAnyArray(one, kind),
  );
  if (wrong.length > 0 || [...kinds].every((one) => one === 'null' && isNullable === false))
    problems.push(`field ${name} is ${[...kinds].join(' or ')}, but the column is ${kind} (${type})`);
  if (kind !== 'json' && isNullable === true && !kinds.has('null'))
    problems.push(`field ${name} is never null, but the column can be`);
  return problems;
}

const isAnyArray = (one: string, kind: string) => one === 'array of any' && kind.startsWith('array of ');
