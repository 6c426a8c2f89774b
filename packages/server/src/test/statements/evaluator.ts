import {
  NodeFlags,
  SyntaxKind,
  type ArrowFunction,
  type BindingElement,
  type CallExpression,
  type Expression,
  type FunctionDeclaration,
  type FunctionExpression,
  type MethodDeclaration,
  type Node,
  type ObjectLiteralExpression,
  type ParameterDeclaration,
  type TemplateExpression,
  type VariableDeclaration,
} from 'typescript/unstable/ast';
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isForOfStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isIfStatement,
  isMethodDeclaration,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isThrowStatement,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { SymbolFlags, TypeFlags, type Symbol as TsSymbol, type Type } from 'typescript/unstable/sync';
import type { Source } from './open-source.ts';

/** A value that is known only at run time. */
export const opaque: unique symbol = Symbol('opaque');

export type FunctionNode = ArrowFunction | FunctionDeclaration | FunctionExpression | MethodDeclaration;

/** A function call: its parameters and the call expression. */
export interface Frame {
  fn: Node;
  /** Evaluated at the call, in the outer frame. */
  argument: (index: number, outer: Frame | null) => Value;
  call: CallExpression | null;
  outer: Frame | null;
}

class Closure {
  readonly fn: FunctionNode;
  readonly frame: Frame | null;
  constructor(fn: FunctionNode, frame: Frame | null) {
    this.fn = fn;
    this.frame = frame;
  }
}

class LazyObject {
  readonly get: (name: string) => Value;
  readonly names: () => string[];
  constructor(get: (name: string) => Value, names: () => string[]) {
    this.get = get;
    this.names = names;
  }
}

export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof opaque
  | Closure
  | LazyObject
  | Value[];

/** Thrown for a parameter of a function that was not entered: its callers know the value. */
export class NeedsCaller extends Error {
  readonly fn: FunctionNode;
  constructor(fn: FunctionNode) {
    super('only callers know the value');
    this.fn = fn;
  }
}

/** Thrown where the program would throw. */
class NeverReached extends Error {}

interface Choice {
  key: string;
  index: number;
  count: number;
}

const mostAlternatives = 200;

/**
 * Evaluates expressions as far as the source determines them. When an expression has a few possible values, all are tried one after the
 * other; a variable has one value throughout.
 */
export class Evaluator {
  readonly #source: Source;
  readonly #symbols = new Map<Node, TsSymbol | undefined>();
  #choices: Choice[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  /** The results of `evaluate` for every combination of choices. */
  alternatives<T>(evaluate: () => T): T[] {
    const results: T[] = [];
    this.#choices = [];
    for (;;) {
      try {
        results.push(evaluate());
      } catch (error) {
        if (!(error instanceof NeverReached)) throw error;
      }
      while (this.#choices.length > 0 && this.#choices.at(-1)!.index + 1 >= this.#choices.at(-1)!.count)
        this.#choices.pop();
      const last = this.#choices.at(-1);
      if (!last) return results;
      if (results.length >= mostAlternatives) throw new Error('too many alternatives');
      last.index += 1;
    }
  }

  /** The SQL of the first argument of `query`: a string, or an object with one. */
  textOf(argument: Expression, frame: Frame | null): string | typeof opaque {
    const value = this.evaluate(argument, frame);
    const text = value instanceof LazyObject ? value.get('text') : value;
    return typeof text === 'string' ? text : opaque;
  }

  evaluate(node: Node, frame: Frame | null): Value {
    const value = this.#compute(node, frame);
    return value === opaque ? this.#byType(node) : value;
  }

  #orOpaque(node: Node, frame: Frame | null): Value {
    try {
      return this.evaluate(node, frame);
    } catch (error) {
      if (!(error instanceof NeedsCaller)) throw error;
      return opaque;
    }
  }

  #compute(node: Node, frame: Frame | null): Value {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (isNumericLiteral(node)) return Number(node.text);
    if (node.kind === SyntaxKind.TrueKeyword) return true;
    if (node.kind === SyntaxKind.FalseKeyword) return false;
    if (node.kind === SyntaxKind.NullKeyword) return null;
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node) ||
      isAwaitExpression(node)
    )
      return this.evaluate(node.expression, frame);
    if (isTemplateExpression(node)) return this.#template(node, frame);
    if (isIdentifier(node)) return node.text === 'undefined' ? undefined : this.#identifier(node, frame);
    if (isPropertyAccessExpression(node))
      return member(this.evaluate(node.expression, frame), node.name.text);
    if (isElementAccessExpression(node))
      return this.#element(node.expression, node.argumentExpression, frame);
    if (isObjectLiteralExpression(node)) return this.#object(node, frame);
    if (isArrayLiteralExpression(node)) return this.#array(node.elements, frame);
    if (isConditionalExpression(node))
      return this.evaluate(this.#test(node.condition, frame) ? node.whenTrue : node.whenFalse, frame);
    if (isBinaryExpression(node)) return this.#binary(node.left, node.operatorToken.kind, node.right, frame);
    if (isArrowFunction(node) || isFunctionExpression(node)) return new Closure(node, frame);
    if (isCallExpression(node)) return this.#call(node, frame);
    return opaque;
  }

  #template(node: TemplateExpression, frame: Frame | null): Value {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const value = this.evaluate(span.expression, frame);
      if (typeof value !== 'string' && typeof value !== 'number') return opaque;
      text += String(value) + span.literal.text;
    }
    return text;
  }

  #element(object: Expression, index: Expression, frame: Frame | null): Value {
    const value = this.evaluate(object, frame);
    const key = this.#orOpaque(index, frame);
    if (typeof key === 'string' || typeof key === 'number') return member(value, String(key));
    if (!(value instanceof LazyObject)) return opaque;
    const names = value.names();
    return names.length === 0 ? opaque : value.get(names[this.#choose(index, names.length)]!);
  }

  #object(node: ObjectLiteralExpression, frame: Frame | null): LazyObject {
    const names = (): string[] =>
      node.properties.flatMap((property) => {
        if (isSpreadAssignment(property)) {
          const spread = this.evaluate(property.expression, frame);
          return spread instanceof LazyObject ? spread.names() : [];
        }
        return property.name ? [nameOf(property.name)] : [];
      });
    const get = (name: string): Value => {
      for (const property of node.properties.toReversed()) {
        if (isSpreadAssignment(property)) {
          const spread = this.evaluate(property.expression, frame);
          if (spread instanceof LazyObject && spread.names().includes(name)) return spread.get(name);
        } else if (property.name && nameOf(property.name) === name) {
          if (isPropertyAssignment(property)) return this.evaluate(property.initializer, frame);
          if (isShorthandPropertyAssignment(property)) {
            const symbol = this.#source.checker.getShorthandAssignmentValueSymbol(property);
            const value = symbol ? this.#symbol(symbol, frame) : opaque;
            return value === opaque ? this.#byType(property.name) : value;
          }
          return opaque;
        }
      }
      return undefined;
    };
    return new LazyObject(get, names);
  }

  #array(elements: readonly Node[], frame: Frame | null): Value {
    const values: Value[] = [];
    for (const element of elements) {
      if (!isSpreadElement(element)) {
        values.push(this.#orOpaque(element, frame));
        continue;
      }
      const spread = this.evaluate(element.expression, frame);
      if (!Array.isArray(spread)) return opaque;
      values.push(...spread);
    }
    return values;
  }

  /** Whether a condition holds. An unknown condition is tried both ways, and the same way for the same text in one function. */
  #test(condition: Expression, frame: Frame | null): boolean {
    const value = this.#orOpaque(condition, frame);
    if (value !== opaque) return Boolean(value);
    const owner = functionAround(condition);
    return this.#chooseBy(`${owner ? keyOf(owner) : ''} ${condition.getText()}`, 2) === 0;
  }

  #binary(left: Expression, operator: SyntaxKind, right: Expression, frame: Frame | null): Value {
    const a = this.evaluate(left, frame);
    if (operator === SyntaxKind.QuestionQuestionToken)
      return a === opaque ? opaque : (a ?? this.evaluate(right, frame));
    if (operator === SyntaxKind.AmpersandAmpersandToken)
      return a === opaque ? opaque : a && this.evaluate(right, frame);
    if (operator === SyntaxKind.BarBarToken) return a === opaque ? opaque : a || this.evaluate(right, frame);
    const b = this.evaluate(right, frame);
    if (a === opaque || b === opaque) return opaque;
    if (operator === SyntaxKind.EqualsEqualsEqualsToken) return a === b;
    if (operator === SyntaxKind.ExclamationEqualsEqualsToken) return a !== b;
    if (typeof a === 'string' && typeof b === 'string' && operator === SyntaxKind.PlusToken) return a + b;
    if (typeof a !== 'number' || typeof b !== 'number') return opaque;
    if (operator === SyntaxKind.PlusToken) return a + b;
    if (operator === SyntaxKind.MinusToken) return a - b;
    if (operator === SyntaxKind.AsteriskToken) return a * b;
    return opaque;
  }

  #call(node: CallExpression, frame: Frame | null): Value {
    const callee = node.expression;
    const argument = (index: number): Value => {
      const argumentNode = node.arguments[index];
      return argumentNode ? this.evaluate(argumentNode, frame) : undefined;
    };
    if (isPropertyAccessExpression(callee)) {
      const name = callee.name.text;
      if (isIdentifier(callee.expression) && callee.expression.text === 'Object') {
        const object = argument(0);
        if (!(object instanceof LazyObject)) return opaque;
        if (name === 'keys') return object.names();
        if (name === 'values') return object.names().map((key) => object.get(key));
        if (name === 'entries') return object.names().map((key) => [key, object.get(key)]);
        return opaque;
      }
      const receiver = this.evaluate(callee.expression, frame);
      if (Array.isArray(receiver)) return this.#arrayCall(receiver, name, argument);
    }
    if (isIdentifier(callee) && callee.text === 'String') {
      const value = argument(0);
      return typeof value === 'number' || typeof value === 'string' ? String(value) : opaque;
    }
    const value = this.evaluate(callee, frame);
    return value instanceof Closure ? this.#enter(value, argument, node) : opaque;
  }

  #arrayCall(receiver: Value[], name: string, argument: (index: number) => Value): Value {
    const first = argument(0);
    if (name === 'join') {
      if (!receiver.every((one) => typeof one === 'string' || typeof one === 'number')) return opaque;
      return receiver.join(typeof first === 'string' ? first : ',');
    }
    if ((name === 'map' || name === 'flatMap') && first instanceof Closure) {
      const mapped = receiver.map((one, at) => this.#enter(first, (index) => (index === 0 ? one : at), null));
      return name === 'map' ? mapped : mapped.flat();
    }
    return opaque;
  }

  #enter(closure: Closure, argument: (index: number) => Value, call: CallExpression | null): Value {
    const { fn } = closure;
    const frame: Frame = { fn, argument, call, outer: closure.frame };
    if (!fn.body) return opaque;
    return isBlock(fn.body) ? this.#run(fn.body.statements, frame).value : this.evaluate(fn.body, frame);
  }

  #run(statements: readonly Node[], frame: Frame): { isOver: boolean; value: Value } {
    for (const statement of statements) {
      if (isThrowStatement(statement)) throw new NeverReached();
      if (isReturnStatement(statement))
        return { isOver: true, value: statement.expression && this.evaluate(statement.expression, frame) };
      if (isIfStatement(statement)) {
        const branch = this.#test(statement.expression, frame)
          ? statement.thenStatement
          : statement.elseStatement;
        const inside = branch && this.#run(isBlock(branch) ? branch.statements : [branch], frame);
        if (inside?.isOver) return inside;
      }
    }
    return { isOver: false, value: undefined };
  }

  #identifier(node: Node, frame: Frame | null): Value {
    if (!this.#symbols.has(node)) this.#symbols.set(node, this.#source.checker.getSymbolAtLocation(node));
    const symbol = this.#symbols.get(node);
    return symbol ? this.#symbol(symbol, frame) : opaque;
  }

  #symbol(symbol: TsSymbol, frame: Frame | null): Value {
    const own = symbol.flags & SymbolFlags.Alias ? this.#source.checker.getAliasedSymbol(symbol) : symbol;
    const declaration = own.valueDeclaration?.resolve(this.#source.project);
    return declaration ? this.#declared(declaration, frame) : opaque;
  }

  #declared(node: Node, frame: Frame | null): Value {
    if (isFunctionDeclaration(node)) return new Closure(node, frame);
    if (isParameterDeclaration(node)) return this.#parameter(node, frame);
    if (isBindingElement(node)) return this.#bound(node, frame);
    if (isVariableDeclaration(node)) return this.#variable(node, frame);
    return opaque;
  }

  #variable(node: VariableDeclaration, frame: Frame | null): Value {
    const list = node.parent;
    if (isForOfStatement(list.parent)) {
      const items = this.evaluate(list.parent.expression, frame);
      return Array.isArray(items) && items.length > 0 ? items[this.#choose(node, items.length)] : opaque;
    }
    if (!(list.flags & NodeFlags.Const) || !node.initializer || isChangedInPlace(node)) return opaque;
    return this.evaluate(node.initializer, frame);
  }

  #bound(node: BindingElement, frame: Frame | null): Value {
    const pattern = node.parent;
    const holder = pattern.parent;
    if (node.dotDotDotToken) return opaque;
    const whole = this.#holder(holder, node, frame);
    if (isArrayBindingPattern(pattern))
      return Array.isArray(whole) ? whole[pattern.elements.findIndex((one) => isSame(one, node))] : opaque;
    const name = node.propertyName ?? node.name;
    return name ? member(whole, nameOf(name)) : opaque;
  }

  /** The destructured value; opaque when the type of the requested part is specific enough. */
  #holder(holder: Node, part: BindingElement, frame: Frame | null): Value {
    try {
      return this.#declared(holder, frame);
    } catch (error) {
      if (!(error instanceof NeedsCaller) || !part.name || this.#byType(part.name) === opaque) throw error;
      return opaque;
    }
  }

  #parameter(node: ParameterDeclaration, frame: Frame | null): Value {
    const fn = node.parent as FunctionNode;
    for (let at = frame; at; at = at.outer) {
      if (!isSame(at.fn, fn)) continue;
      const value = at.argument(
        fn.parameters.findIndex((one) => isSame(one, node)),
        at.outer,
      );
      return value === undefined && node.initializer ? this.evaluate(node.initializer, frame) : value;
    }
    const value = this.#byType(node.name);
    if (value === opaque) throw new NeedsCaller(fn);
    return value;
  }

  /** An unknown number gets one value; each of a few literals is tried. */
  #byType(node: Node): Value {
    const type = this.#source.checker.getTypeAtLocation(node);
    if (!type) return opaque;
    if (isNumeric(type)) return type.isNumberLiteralType() ? type.value : 1;
    if (type.flags & TypeFlags.Boolean) return this.#chooseBy(this.#typeKey(node), 2) === 0;
    const words = wordsOf(type);
    return words ? words[this.#chooseBy(this.#typeKey(node), words.length)] : opaque;
  }

  #typeKey(node: Node): string {
    const declared = isIdentifier(node)
      ? this.#source.checker.getSymbolAtLocation(node)?.valueDeclaration?.resolve(this.#source.project)
      : undefined;
    return keyOf(declared ?? node);
  }

  #choose(node: Node, count: number): number {
    return this.#chooseBy(keyOf(node), count);
  }

  #chooseBy(key: string, count: number): number {
    const known = this.#choices.find((choice) => choice.key === key);
    if (known) return Math.min(known.index, count - 1);
    this.#choices.push({ key, index: 0, count });
    return 0;
  }
}

function member(value: Value, name: string): Value {
  if (value instanceof LazyObject) return value.get(name);
  if (Array.isArray(value)) return name === 'length' ? value.length : (value[Number(name)] ?? opaque);
  return opaque;
}

function isNumeric(type: Type): boolean {
  return type.isUnionType() ? type.getTypes().every(isNumeric) : (type.flags & TypeFlags.NumberLike) !== 0;
}

/** The values of a type with few members: string literals, and possibly null. */
function wordsOf(type: Type): (string | null)[] | null {
  if (type.isStringLiteralType()) return [type.value];
  if (!type.isUnionType()) return null;
  const words: (string | null)[] = [];
  for (const one of type.getTypes()) {
    if (one.isStringLiteralType()) words.push(one.value);
    else if (one.flags & TypeFlags.Null) words.push(null);
    else return null;
  }
  return words;
}

function nameOf(node: Node): string {
  return isIdentifier(node) || isStringLiteral(node) ? node.text : node.getText();
}

/** Whether two nodes are the same: the compiler may return a node more than once. */
export function isSame(a: Node, b: Node): boolean {
  return a === b || (a.kind === b.kind && keyOf(a) === keyOf(b));
}

function keyOf(node: Node): string {
  return `${node.getSourceFile().fileName}:${node.pos}`;
}

/** The function that contains a node. */
export function functionAround(node: Node): FunctionNode | null {
  for (let at = node.parent; at; at = at.parent)
    if (
      isArrowFunction(at) ||
      isFunctionDeclaration(at) ||
      isFunctionExpression(at) ||
      isMethodDeclaration(at)
    )
      return at;
  return null;
}

/** Whether a list is modified after its declaration, which then does not determine its content. */
function isChangedInPlace(node: VariableDeclaration): boolean {
  if (!isIdentifier(node.name)) return false;
  const name = node.name.text;
  const within: Node = functionAround(node) ?? node.getSourceFile();
  const visit = (at: Node): true | undefined =>
    (isCallExpression(at) &&
      isPropertyAccessExpression(at.expression) &&
      ['push', 'unshift', 'splice', 'set', 'add'].includes(at.expression.name.text) &&
      isIdentifier(at.expression.expression) &&
      at.expression.expression.text === name) ||
    at.forEachChild(visit);
  return visit(within) === true;
}
