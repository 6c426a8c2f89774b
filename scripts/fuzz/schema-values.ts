import type { Random } from '@tributary/rig';

/** The parts of JSON Schema that the description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: { pattern: string };
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  anyOf?: Schema[];
}

export type Resolve = (schema: Schema) => Schema;

const timezones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC', 'Pacific/Chatham'];
const texts = ['ada', 'Žofie', '山田', '👩‍🔬', 'a b', '<b>', "o'hara", '%00', '\u0001', '..', 'NULL'];

const utcOffset = String.raw`^[+-](0\d|1[0-4]):[0-5]\d$`;
const firstInstantMs = Date.UTC(2024, 0, 1);

/** A value that the schema allows. */
export function validValue(schema: Schema, random: Random, resolve: Resolve): unknown {
  const resolvedSchema = resolve(schema);
  if (resolvedSchema.enum) return random.pick(resolvedSchema.enum);
  const type = random.pick([resolvedSchema.type ?? 'object'].flat());
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
      return validNumber(resolvedSchema, random, true);
    case 'number':
      return validNumber(resolvedSchema, random, false);
    case 'array':
      return validArray(resolvedSchema, random, resolve);
    case 'string':
      return validText(resolvedSchema, random);
    default:
      return validObject(resolvedSchema, random, resolve);
  }
}

function validNumber({ minimum = -1000, maximum = 1000 }: Schema, random: Random, whole: boolean): number {
  if (random.chance(0.2)) return random.pick([minimum, maximum]);
  if (whole) return random.int(minimum, Math.min(maximum, minimum + 1000));
  return Math.min(maximum, Math.round((minimum + random.next() * (maximum - minimum)) * 100) / 100);
}

function validArray(schema: Schema, random: Random, resolve: Resolve): unknown[] {
  const length = random.int(schema.minItems ?? 0, Math.min(schema.maxItems ?? 4, 7));
  const values = Array.from({ length }, () => validValue(schema.items ?? {}, random, resolve));
  return [...new Set(values)];
}

function validText({ format, pattern, minLength = 0, maxLength = 40 }: Schema, random: Random): string {
  if (format === 'timezone') return random.pick(timezones);
  if (format === 'date-or-all') return random.pick(['all', '1970-01-01', '2020-02-29']);
  if (format === 'uuid') return random.uuid();
  if (format === 'date') return `${random.int(1900, 2020)}-0${random.int(1, 9)}-1${random.int(0, 9)}`;
  if (format === 'date-time') return instant(random);
  if (pattern === utcOffset) return random.pick(['+00:00', '-03:30', '+05:45', '-11:00', '+14:00']);
  if (pattern === '^[12]$') return random.pick(['1', '2']);
  const text = random.chance(0.3) ? random.pick(texts) : '';
  const generatedText = text + random.word(random.int(Math.max(minLength, 1), 12));
  return random.chance(0.05) ? generatedText.padEnd(maxLength, 'x').slice(0, maxLength) : generatedText;
}

function instant(random: Random): string {
  const ms = firstInstantMs + random.int(0, 700 * 86_400) * 1000;
  const text = new Date(ms + (random.chance(0.2) ? random.int(1, 999) : 0)).toISOString();
  return text.replace('.000Z', 'Z');
}

function validObject(schema: Schema, random: Random, resolve: Resolve): Record<string, unknown> {
  const branch = schema.anyOf ? random.pick(schema.anyOf) : {};
  const required = new Set([...(schema.required ?? []), ...(branch.required ?? [])]);
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (required.has(name) || random.chance(0.4)) value[name] = validValue(property, random, resolve);
  }
  if (typeof schema.additionalProperties === 'object') {
    const count = random.int(0, 3);
    for (let at = 0; at < count; at += 1) {
      value[random.pick(['steps', 'constructor', 'to_string', `m${random.word(4)}`])] = validValue(
        schema.additionalProperties,
        random,
        resolve,
      );
    }
  }
  return value;
}
