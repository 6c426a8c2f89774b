import type {
  CallExpression,
  Directive,
  Expression,
  ForOfStatement,
  IfStatement,
  Program,
  Statement,
  VariableDeclaration,
} from 'oxc-parser';
import { format } from 'node:util';
import { bind, evaluate, isPrimitive, isRecord, unknown, type Scope, type Value } from './evaluate.ts';

/** One test as it runs. A table creates one per row. */
export interface ListedTest {
  /** Its titles, from the outermost `describe`. */
  titles: readonly string[];
  /** Offset of the test's statement. */
  start: number;
  /** Offset of the row in the test's own table, if it has one. */
  rowStart: number | null;
  /** The rows of tables and loops that it was created from, outermost first. */
  rows: readonly Value[];
}

interface Row {
  value: Value;
  start: number | null;
}

interface Context {
  scope: Scope;
  /** Offsets of the elements of constant arrays, by array name. */
  arrays: Map<string, Expression>;
  titles: readonly string[];
  rows: readonly Value[];
}

/** `test(…)`, `describe(…)` and their forms with a table. */
interface TestCall {
  kind: 'test' | 'describe';
  table: { rows: Expression; spreads: boolean } | null;
}

/** Lists the tests of a file without running it. Expands tables and loops as far as literals and constants define their rows. */
export function listTests(program: Program): ListedTest[] {
  return listIn(program.body, { scope: new Map(), arrays: new Map(), titles: [], rows: [] });
}

function listIn(statements: readonly (Directive | Statement)[], outer: Context): ListedTest[] {
  const context = { ...outer, scope: new Map(outer.scope), arrays: new Map(outer.arrays) };
  return statements.flatMap((statement) => listOf(statement, context));
}

function listOf(statement: Directive | Statement, context: Context): ListedTest[] {
  if (statement.type === 'VariableDeclaration') declare(statement, context);
  if (statement.type === 'BlockStatement') return listIn(statement.body, context);
  if (statement.type === 'IfStatement') return listIn(branchesOf(statement, context.scope), context);
  if (statement.type === 'ForOfStatement') return listOfLoop(statement, context);
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return [];
  return listOfCall(statement.expression, statement.start, context);
}

/** The branch that runs, or both if that is unknown. */
function branchesOf({ test, consequent, alternate }: IfStatement, scope: Scope): Statement[] {
  const holds = evaluate(test, scope);
  const branches = [
    holds === unknown || holds ? consequent : null,
    holds === unknown || !holds ? alternate : null,
  ];
  return branches.filter((branch) => branch !== null);
}

function declare(declaration: VariableDeclaration, { scope, arrays }: Context): void {
  for (const { id, init } of declaration.declarations) {
    if (declaration.kind !== 'const' || !init) continue;
    bind(id, evaluate(init, scope), scope);
    if (id.type === 'Identifier') arrays.set(id.name, init);
  }
}

function listOfLoop({ left, right, body }: ForOfStatement, context: Context): ListedTest[] {
  if (left.type !== 'VariableDeclaration') return [];
  const pattern = left.declarations[0]!.id;
  return rowsOf(right, context).flatMap(({ value }) => {
    const inner: Context = { ...context, scope: new Map(context.scope), rows: [...context.rows, value] };
    bind(pattern, value, inner.scope);
    return listIn([body], inner);
  });
}

function listOfCall(call: CallExpression, start: number, context: Context): ListedTest[] {
  const matchedCall = testCall(call.callee);
  const [title] = call.arguments;
  if (!matchedCall || !title || title.type === 'SpreadElement') return [];
  const template = evaluate(title, context.scope);
  const written = typeof template === 'string' ? template : '…';
  if (!matchedCall.table)
    return listCase(matchedCall.kind, call, start, null, {
      ...context,
      titles: [...context.titles, written],
    });
  const rows = rowsOf(matchedCall.table.rows, context);
  const spreads = matchedCall.table.spreads && rows.every(({ value }) => Array.isArray(value));
  return rows.flatMap((row) => {
    const parameters: readonly Value[] = spreads ? (row.value as readonly Value[]) : [row.value];
    const inner: Context = {
      ...context,
      scope: new Map(context.scope),
      titles: [...context.titles, fillTitle(written, parameters)],
      rows: [...context.rows, row.value],
    };
    for (const [at, parameter] of (callback(call)?.params ?? []).entries())
      bind(parameter, parameters[at], inner.scope);
    return listCase(matchedCall.kind, call, start, row.start, inner);
  });
}

function listCase(
  kind: TestCall['kind'],
  call: CallExpression,
  start: number,
  rowStart: number | null,
  context: Context,
): ListedTest[] {
  if (kind === 'test') return [{ titles: context.titles, start, rowStart, rows: context.rows }];
  const body = callback(call)?.body;
  return body?.type === 'BlockStatement' ? listIn(body.body, context) : [];
}

function callback({ arguments: callArguments }: CallExpression) {
  for (const one of callArguments)
    if (one.type === 'ArrowFunctionExpression' || one.type === 'FunctionExpression') return one;
  return null;
}

/** Skipped and todo tests prove nothing, so they are not listed. */
function testCall(callee: Expression): TestCall | null {
  if (callee.type === 'Identifier') {
    if (callee.name === 'test' || callee.name === 'it') return { kind: 'test', table: null };
    return callee.name === 'describe' ? { kind: 'describe', table: null } : null;
  }
  if (callee.type === 'CallExpression') return callWithTable(callee);
  const modifier = modifierOf(callee);
  return modifier && ['concurrent', 'sequential'].includes(modifier.name) ? testCall(modifier.object) : null;
}

/** `test.each(rows)` and similar calls, which return the function that takes the title. */
function callWithTable({ callee, arguments: callArguments }: CallExpression): TestCall | null {
  const modifier = modifierOf(callee);
  const matchedCall = modifier && testCall(modifier.object);
  if (!matchedCall || modifier.name === 'skipIf' || modifier.name === 'runIf') return matchedCall;
  const [rows] = callArguments;
  const isTable = modifier.name === 'each' || modifier.name === 'for';
  if (!isTable || !rows || rows.type === 'SpreadElement') return null;
  return { ...matchedCall, table: { rows, spreads: modifier.name === 'each' } };
}

function modifierOf(callee: Expression): { object: Expression; name: string } | null {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null;
  return { object: callee.object, name: callee.property.name };
}

/** The rows of a table. A table that cannot be read without running it counts as one row. */
function rowsOf(table: Expression, { scope, arrays }: Context): Row[] {
  const written = writtenArray(table, arrays);
  if (written) {
    return written.elements.flatMap((element) => {
      if (element === null) return [];
      if (element.type === 'SpreadElement')
        return rowsOf(element.argument, { scope, arrays, titles: [], rows: [] });
      return [{ value: evaluate(element, scope), start: element.start }];
    });
  }
  const values = evaluate(table, scope);
  return Array.isArray(values)
    ? values.map((value) => ({ value, start: null }))
    : [{ value: unknown, start: null }];
}

function writtenArray(table: Expression, arrays: ReadonlyMap<string, Expression>) {
  let node: Expression | undefined = table;
  while (node) {
    if (node.type === 'ArrayExpression') return node;
    if (node.type === 'Identifier') node = arrays.get(node.name);
    else if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') node = node.expression;
    else return null;
  }
  return null;
}

/** Fills in `%s` and `$name` as Vitest does, and shows unknown values as `…`. */
function fillTitle(template: string, values: readonly Value[]): string {
  const [first] = values;
  const named = template.replaceAll(/\$(\w+)/g, (whole, key: string) => {
    if (!isRecord(first)) return first === unknown ? '…' : whole;
    return isPrimitive(first[key]) ? String(first[key]) : '…';
  });
  const left = [...values];
  return named.replaceAll(/%[sdifjoO]/g, (place) => {
    if (left.length === 0) return place;
    const value = left.shift();
    return value === unknown ? '…' : format(place, value);
  });
}
