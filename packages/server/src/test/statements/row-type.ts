import type { CallExpression, TypeNode } from 'typescript/unstable/ast';
import { isTypeParameterDeclaration } from 'typescript/unstable/ast/is';
import { SymbolFlags, TypeFlags, type Type, type TypeReference } from 'typescript/unstable/sync';
import { isSame, NeedsCaller, type Frame, type FunctionNode } from './evaluator.ts';
import type { Source } from './open-source.ts';

/** One field of a row type, with the run-time types of its value. */
interface Field {
  /** `string`, `number`, `boolean`, `null`, `undefined`, `Date`, `Buffer`, `any`, `json`, or `array of …`. */
  kinds: Set<string>;
  isOptional: boolean;
}

export type Fields = Map<string, Field>;

/** The fields of a call's row type; null when it has none or is untyped. */
export function readRowType(source: Source, call: CallExpression, frame: Frame | null): Fields | null {
  const node = call.typeArguments?.[0];
  if (!node) return null;
  const variants = expand(source, node, frame);
  const fields: Fields = new Map();
  const properties = variants.flat().flatMap((part) => source.checker.getPropertiesOfType(part));
  for (const property of properties) {
    const type = source.checker.getTypeOfSymbol(property);
    const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
    const kinds = type ? kindsOf(source, type) : ['any'];
    const known = fields.get(property.name) ?? { kinds: new Set(), isOptional: false };
    for (const kind of kinds) if (kind !== 'undefined' || !isOptional) known.kinds.add(kind);
    known.isOptional ||= isOptional;
    fields.set(property.name, known);
  }
  for (const [name, field] of fields)
    if (!variants.every((parts) => parts.some((part) => source.checker.getPropertyOfType(part, name))))
      field.isOptional = true;
  return fields.size === 0 &&
    variants.flat().some((part) => source.checker.getIndexInfosOfType(part).length > 0)
    ? null
    : fields;
}

/** A type as alternatives of intersected parts, with the type arguments of callers. */
function expand(source: Source, node: TypeNode, frame: Frame | null): Type[][] {
  const type = source.checker.getTypeFromTypeNode(node);
  if (!type) throw new Error(`the compiler found no type for ${node.getText()}`);
  return expandType(source, type, frame);
}

function expandType(source: Source, type: Type, frame: Frame | null): Type[][] {
  if (type.isUnionType()) return type.getTypes().flatMap((one) => expandType(source, one, frame));
  if (type.isTypeParameter()) return expandParameter(source, type, frame);
  if (!type.isIntersectionType()) return [[type]];
  let variants: Type[][] = [[]];
  for (const part of type.getTypes()) {
    const own = expandType(source, part, frame);
    variants = variants.flatMap((parts) => own.map((more) => [...parts, ...more]));
  }
  return variants;
}

function expandParameter(source: Source, type: Type, frame: Frame | null): Type[][] {
  const declaration = type.getSymbol()?.declarations[0]?.resolve(source.project);
  if (!declaration || !isTypeParameterDeclaration(declaration)) return [[type]];
  const fn = declaration.parent as FunctionNode;
  for (let at = frame; at; at = at.outer) {
    if (!isSame(at.fn, fn)) continue;
    const typeArgument =
      at.call?.typeArguments?.[fn.typeParameters!.findIndex((one) => isSame(one, declaration))];
    return typeArgument ? expand(source, typeArgument, at.outer) : [];
  }
  throw new NeedsCaller(fn);
}

/** The run-time type of a value. */
function kindsOf(source: Source, type: Type): string[] {
  const { checker } = source;
  if (type.flags & TypeFlags.AnyOrUnknown) return ['any'];
  if (type.flags & TypeFlags.StringLike) return ['string'];
  if (type.flags & TypeFlags.NumberLike) return ['number'];
  if (type.flags & TypeFlags.BooleanLike) return ['boolean'];
  if (type.flags & TypeFlags.Null) return ['null'];
  if (type.flags & TypeFlags.Undefined) return ['undefined'];
  if (type.isUnionType()) return [...new Set(type.getTypes().flatMap((one) => kindsOf(source, one)))];
  if (type.isIntersectionType())
    // A brand is a primitive with a marker that exists only for the compiler.
    return type
      .getTypes()
      .flatMap((one) => kindsOf(source, one))
      .toSorted((a, b) => Number(a === 'json') - Number(b === 'json'))
      .slice(0, 1);
  const name = type.getSymbol()?.name;
  if (name === 'Date') return ['Date'];
  if (name === 'Buffer' || name === 'Uint8Array') return ['Buffer'];
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as TypeReference);
    const kinds = element ? kindsOf(source, element).filter((kind) => kind !== 'null') : ['any'];
    return [`array of ${kinds.toSorted().join(' or ')}`];
  }
  return ['json'];
}
