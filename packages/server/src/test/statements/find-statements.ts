import type { CallExpression, Node, ObjectLiteralExpression } from 'typescript/unstable/ast';
import {
  isAwaitExpression,
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import {
  Evaluator,
  functionAround,
  isSame,
  NeedsCaller,
  opaque,
  type Frame,
  type FunctionNode,
} from './evaluator.ts';
import type { Source } from './open-source.ts';
import { readRowType, type Fields } from './row-type.ts';

/** One use of a statement. */
export interface StatementUse {
  /** The file and line of the call that supplies the SQL. */
  at: string;
  /** The file and function that call `query`; exceptions name them. */
  place: string;
  /** Every possible text; null when the source does not determine it. */
  texts: string[] | null;
  row: Fields | null;
  /** Whether the caller reads the rows. */
  usesRows: boolean;
}

/** Finds every call of `query`, with its SQL and row type, and every statement defined elsewhere. */
export function findStatements(source: Source): StatementUse[] {
  const evaluator = new Evaluator(source);
  return source.files.flatMap((file) => {
    const { calls, objects } = sinksIn(file);
    return [
      ...calls.flatMap((call) => resolve(source, evaluator, { sink: call, outermost: call, frame: null })),
      ...objects.flatMap((object) => resolveObject(source, evaluator, object)),
    ];
  });
}

interface Use {
  sink: CallExpression;
  /** The call that enters the function around the sink, or an outer one; the sink itself when the caller does not matter. */
  outermost: CallExpression;
  frame: Frame | null;
}

const mostFrames = 6;

function resolve(source: Source, evaluator: Evaluator, { sink, outermost, frame }: Use): StatementUse[] {
  const location = {
    at: source.locate(outermost),
    place: placeOf(source, sink),
    usesRows: isRowsRead(sink),
  };
  try {
    const row = readRowType(source, sink, frame);
    const texts = evaluator.alternatives(() => evaluator.textOf(sink.arguments[0]!, frame));
    const isKnown = texts.length > 0 && texts.every((text) => text !== opaque);
    return [{ ...location, texts: isKnown ? [...new Set(texts)] : null, row }];
  } catch (error) {
    if (!(error instanceof NeedsCaller)) throw error;
    const frames = framesOf(frame);
    const isEntered = frames.some(({ fn }) => isSame(fn, error.fn));
    const calls = isEntered || frames.length >= mostFrames ? [] : callersOf(source, error.fn);
    if (calls.length === 0) return [{ ...location, texts: null, row: null }];
    return calls.flatMap((call) => {
      const argument: Frame['argument'] = (index, outer) => {
        const argumentNode = call.arguments[index];
        return argumentNode ? evaluator.evaluate(argumentNode, outer) : undefined;
      };
      const entered = append(frame, { fn: error.fn, call, argument, outer: null });
      return resolve(source, evaluator, { sink, outermost: call, frame: entered });
    });
  }
}

/** Statements that other code runs, such as those that begin a transaction. */
function resolveObject(
  source: Source,
  evaluator: Evaluator,
  object: ObjectLiteralExpression,
): StatementUse[] {
  try {
    const texts = evaluator.alternatives(() => evaluator.textOf(object, null));
    const known = texts.filter((text) => text !== opaque);
    if (known.length === 0) return [];
    const location = { at: source.locate(object), place: placeOf(source, object) };
    return [{ ...location, texts: [...new Set(known)], row: null, usesRows: false }];
  } catch (error) {
    if (error instanceof NeedsCaller) return [];
    throw error;
  }
}

function framesOf(frame: Frame | null): Frame[] {
  return frame ? [frame, ...framesOf(frame.outer)] : [];
}

/** Callers come before the functions they call. */
function append(frame: Frame | null, last: Frame): Frame {
  return frame ? { ...frame, outer: append(frame.outer, last) } : last;
}

function sinksIn(file: Node): { calls: CallExpression[]; objects: ObjectLiteralExpression[] } {
  const calls: CallExpression[] = [];
  const objects: ObjectLiteralExpression[] = [];
  const visit = (node: Node): void => {
    if (isQuery(node)) calls.push(node);
    if (isObjectLiteralExpression(node) && isStatement(node) && !isQuery(node.parent)) objects.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return { calls, objects };
}

function isQuery(node: Node): node is CallExpression {
  return (
    isCallExpression(node) &&
    isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'query' &&
    node.arguments.length > 0
  );
}

function isStatement({ properties }: ObjectLiteralExpression): boolean {
  const names = new Set(
    properties.map((property) => ('name' in property ? property.name?.getText() : undefined)),
  );
  return names.has('text') && names.has('values');
}

/** Whether the rows of a call's result are read, directly or through a variable. */
function isRowsRead(call: CallExpression): boolean {
  let holder: Node = call.parent;
  while (isAwaitExpression(holder) || isParenthesizedExpression(holder)) holder = holder.parent;
  if (isPropertyAccessExpression(holder)) return holder.name.text === 'rows';
  if (!isVariableDeclaration(holder)) return false;
  if (!isIdentifier(holder.name)) return /\brows\b/.test(holder.name.getText());
  const within: Node = functionAround(call) ?? call.getSourceFile();
  return new RegExp(`\\b${holder.name.text}\\.rows\\b`).test(within.getText());
}

function callersOf(source: Source, fn: FunctionNode): CallExpression[] {
  const names = new Set(source.files.map(({ fileName }) => fileName));
  return source.checker
    .getSignatureUsage(fn)
    .map(({ call }) => call?.resolve(source.project))
    .filter((call) => call !== undefined && isCallExpression(call))
    .filter((call) => names.has(call.getSourceFile().fileName));
}

function placeOf(source: Source, node: Node): string {
  const [file] = source.locate(node).split(':');
  for (let fn = functionAround(node); fn; fn = functionAround(fn)) {
    if ('name' in fn && fn.name) return `${file} ${fn.name.getText()}`;
    if (isVariableDeclaration(fn.parent) && isIdentifier(fn.parent.name))
      return `${file} ${fn.parent.name.text}`;
  }
  return file!;
}
