import type { BindingPattern, Expression, ParamPattern, PropertyKey } from 'oxc-parser';

/** Represents a value that only running the code would reveal. */
export const unknown = Symbol('unknown');

export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof unknown
  | readonly Value[]
  | { readonly [key: string]: Value };

/** The constants in scope, by name. */
export type Scope = Map<string, Value>;

type Reader<Type> = (node: Extract<Expression, { type: Type }>, scope: Scope) => Value;

function readInner({ expression }: { expression: Expression }, scope: Scope): Value {
  return evaluate(expression, scope);
}

const readers: { [Type in Expression['type']]?: Reader<Type> } = {
  Literal: ({ value }) =>
    isPrimitive(value as Value) && typeof value !== 'bigint' ? (value as Value) : unknown,
  Identifier: ({ name }, scope) => {
    if (name === 'undefined') return undefined;
    return scope.has(name) ? scope.get(name) : unknown;
  },
  TemplateLiteral: ({ quasis, expressions }, scope) => {
    const values = expressions.map((expression) => evaluate(expression, scope));
    if (!values.every(isPrimitive)) return unknown;
    return quasis.map(({ value }, at) => `${value.cooked}${at < values.length ? values[at] : ''}`).join('');
  },
  ArrayExpression: ({ elements }, scope) =>
    elements.flatMap((element): readonly Value[] => {
      if (element === null) return [undefined];
      if (element.type !== 'SpreadElement') return [evaluate(element, scope)];
      const spread = evaluate(element.argument, scope);
      return Array.isArray(spread) ? spread : [unknown];
    }),
  ObjectExpression: ({ properties }, scope) => {
    const entries: Record<string, Value> = {};
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        const spread = evaluate(property.argument, scope);
        if (!isRecord(spread)) return unknown;
        Object.assign(entries, spread);
        continue;
      }
      const key = keyOf(property.key, property.computed, scope);
      if (key === null) return unknown;
      entries[key] = evaluate(property.value, scope);
    }
    return entries;
  },
  UnaryExpression: ({ operator, argument }, scope) => {
    const value = evaluate(argument, scope);
    if (operator === '-' && typeof value === 'number') return -value;
    return operator === '!' && value !== unknown ? !value : unknown;
  },
  BinaryExpression: ({ operator, left, right }, scope) => {
    if (left.type === 'PrivateIdentifier') return unknown;
    const one: Value = evaluate(left, scope);
    const other: Value = evaluate(right, scope);
    if (!isPrimitive(one) || !isPrimitive(other)) return unknown;
    if (operator === '===') return one === other;
    return operator === '!==' ? one !== other : unknown;
  },
  MemberExpression: ({ object, property, computed }, scope) =>
    propertyOf(evaluate(object, scope), keyOf(property, computed, scope)),
  ParenthesizedExpression: readInner,
  TSAsExpression: readInner,
  TSNonNullExpression: readInner,
  TSSatisfiesExpression: readInner,
};

/** Evaluates literals and constants of the same file. Everything else is `unknown`. */
export function evaluate(node: Expression, scope: Scope): Value {
  const reader = readers[node.type] as ((node: Expression, scope: Scope) => Value) | undefined;
  return reader ? reader(node, scope) : unknown;
}

/** Adds the names of a pattern to the scope, each with its part of the value. */
export function bind(pattern: BindingPattern | ParamPattern, value: Value, scope: Scope): void {
  if (pattern.type === 'Identifier') scope.set(pattern.name, value);
  else if (pattern.type === 'AssignmentPattern')
    bind(pattern.left, value === undefined ? evaluate(pattern.right, scope) : value, scope);
  else if (pattern.type === 'RestElement') bind(pattern.argument, unknown, scope);
  else if (pattern.type === 'ArrayPattern') {
    for (const [at, element] of pattern.elements.entries())
      if (element !== null) bind(element, propertyOf(value, String(at)), scope);
  } else if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') bind(property, unknown, scope);
      else bind(property.value, propertyOf(value, keyOf(property.key, property.computed, scope)), scope);
    }
  }
}

function keyOf(key: PropertyKey, computed: boolean, scope: Scope): string | null {
  if (key.type === 'Identifier' && !computed) return key.name;
  if (key.type === 'PrivateIdentifier') return null;
  const value = evaluate(key, scope);
  return isPrimitive(value) ? String(value) : null;
}

function propertyOf(object: Value, key: string | null): Value {
  if (key === null || (!Array.isArray(object) && !isRecord(object))) return unknown;
  return Object.hasOwn(object, key) ? (object as { readonly [key: string]: Value })[key] : undefined;
}

export function isRecord(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isPrimitive(value: Value): value is string | number | boolean | null | undefined {
  return value !== unknown && (typeof value !== 'object' || value === null);
}
