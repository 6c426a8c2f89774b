import { Type, type Static, type TSchema } from 'typebox';

/** `T` or null as one JSON type list. A union of two schemas is equivalent but serializes nearly three times slower. */
export function Nullable<T extends TSchema & { type: string; enum?: unknown[] }>(schema: T) {
  const orNull = schema.enum ? { enum: [...schema.enum, null] } : {};
  return Type.Unsafe<Static<T> | null>({ ...schema, ...orNull, type: [schema.type, 'null'] });
}

/** A closed list of words, as a plain JSON Schema `enum`. */
export function Words<const T extends readonly string[]>(words: T, options: { description?: string } = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options }) as ReturnType<
    typeof Type.Unsafe<T[number]>
  > & { type: 'string'; enum: unknown[] };
}

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 timestamp in UTC, with `Z`.',
});
export const CalendarDate = Type.String({ format: 'date', description: 'Calendar date, YYYY-MM-DD.' });

/** Local time without an offset. */
export const ClockTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
  description: "Local time in the user's time zone at that time, without an offset: `2026-03-02T07:14:31`.",
});

/** Text that PostgreSQL can store unchanged. The format `text` checks for it. */
export const textRule = 'Any text without NUL characters or unpaired surrogates (format `text`).';

/** A component of the OpenAPI file, named by its `$id`. */
export function Component<T extends TSchema>(id: string, schema: T): T {
  return { ...schema, $id: id };
}

/** Refers to a component by name while keeping its static type. */
export function RefTo<T extends TSchema>(component: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${(component as { $id?: string }).$id}#` });
}
