/** A JSON Schema of the API description. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  description?: string;
}

/** Returns the name of the type that a reference points to. */
export type NameOf = (component: string) => string;

/** The TypeScript type of a schema. */
export function toType(schema: JsonSchema, nameOf: NameOf): string {
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1)!);
  if (schema.enum) return schema.enum.map((value) => quote(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((part) => toType(part, nameOf)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => toType(part, nameOf)).join(' & ');
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => toSingleType(type, schema, nameOf)).join(' | ');
}

function toSingleType(type: string, schema: JsonSchema, nameOf: NameOf): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return `Array<${toType(schema.items ?? {}, nameOf)}>`;
  if (type !== 'object') return type;
  const others = schema.additionalProperties;
  const value = typeof others === 'object' ? toType(others, nameOf) : 'unknown';
  if (!schema.properties) return `Record<string, ${value}>`;
  const isOpen = others !== undefined && others !== false;
  return `{ ${toFields(schema, nameOf)}${isOpen ? ` [name: string]: ${value};` : ''} }`;
}

/** The fields of an object type, each with its description. */
export function toFields({ properties = {}, required = [] }: JsonSchema, nameOf: NameOf): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = toType(schema, nameOf);
      return `${toComment(schema.description)}${key(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
    })
    .join('');
}

/** A documentation comment, or nothing. */
export function toComment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n` : '';
}

export function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : String(value);
}

export function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
}
