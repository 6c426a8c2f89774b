import { Type, type Static, type TSchema } from 'typebox';

/**
 * `T` or null as one JSON type list. A union of two schemas would say the same, but serialises nearly three times slower.
 */
export function Nullable<T extends TSchema & { type: string; enum?: unknown[] }>(schema: T) {
  const orNull = schema.enum ? { enum: [...schema.enum, null] } : {};
  return Type.Unsafe<Static<T> | null>({ ...schema, ...orNull, type: [schema.type, 'null'] });
}

/** A closed list of words, written as a plain JSON Schema `enum`. */
export function Words<const T extends readonly string[]>(words: T, options: { description?: string } = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options }) as ReturnType<
    typeof Type.Unsafe<T[number]>
  > & { type: 'string'; enum: unknown[] };
}

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with `Z`' });
export const CalendarDate = Type.String({ format: 'date', description: 'YYYY-MM-DD' });

/** What a clock on the wall shows, without an offset. */
export const ClockTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
  description: "In the user's timezone, without an offset: `2026-03-02T07:14:31`",
});

/** Text that can be stored exactly as it is; the format `text` checks for it. */
export const textRule = 'Any text without NUL and without halves of surrogate pairs (format `text`).';

/** A component of the OpenAPI file: `$id` gives it its name there. */
export function Component<T extends TSchema>(id: string, schema: T): T {
  return { ...schema, $id: id };
}

/** Refers to a component by name while keeping its static type. */
export function RefTo<T extends TSchema>(component: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${(component as { $id?: string }).$id}#` });
}
