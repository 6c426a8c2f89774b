import { Type } from 'typebox';
import { jsonResponse, jsonResponseInForms, FormHeader, noContent } from '../openapi/operation.ts';
import { Words } from '../openapi/schema.ts';
import { exampleUser } from '../resources/user.ts';

/** Path parameters shared by all reads of a user's data. */
export const UserPath = Type.Object({
  id: Type.String({ description: 'User identifier.', examples: [exampleUser.id] }),
});

const IfNoneMatch = Type.Optional(
  Type.String({
    description: 'The `ETag` of a response that you have stored. Returns 304 while it is current.',
  }),
);
export const ReadHeaders = Type.Object({ 'If-None-Match': IfNoneMatch });
export const FormReadHeaders = Type.Object({ ...FormHeader.properties, 'If-None-Match': IfNoneMatch });

const ETag = {
  type: 'string',
  description: 'Identifies this version of the response. Send it back in `If-None-Match`.',
};

/** A response that clients may cache and revalidate. */
export function cacheableResponse(...parts: Parameters<typeof jsonResponse>) {
  return { 200: { ...jsonResponse(...parts), headers: { ETag } }, ...unchanged };
}

export function cacheableResponseInForms(...parts: Parameters<typeof jsonResponseInForms>) {
  const inForms = jsonResponseInForms(...parts);
  return { 200: { ...inForms, headers: { ...inForms.headers, ETag } }, ...unchanged };
}

const unchanged = {
  304: { ...noContent('Not modified. Your stored response is current.'), headers: { ETag } },
};

function date(description: string) {
  return Type.Optional(Type.String({ format: 'date', description }));
}

/** Both dates of Form 1, which requires them. */
export function form1Dates(mostDays: number) {
  return {
    start_date: date('Form 1, required. First day.'),
    end_date: date(`Form 1, required. Last day. The range is at most ${mostDays} days, inclusive.`),
  };
}

/** Both dates of Form 2, which are optional. */
export const form2Dates = {
  from_date: date('Form 2. First day. Default 29 days before the last day.'),
  to_date: date(
    "Form 2. Last day. Default today in the user's time zone. The range is at most 366 days, inclusive.",
  ),
};

/** A position in a list. An empty one is the start, so that clients can send the parameter always. */
export function cursorParameter(description: string) {
  return Type.Optional(
    Type.String({ maxLength: 2048, description: `${description} An empty value is the same as none.` }),
  );
}

/** A list of metric IDs. Handlers check the IDs themselves, so that the error can name the unknown ones. */
export function metricList(description: string) {
  return Type.Optional(Type.String({ maxLength: 8192, description }));
}

export const UnitSystem = Type.Optional(
  Words(['metric', 'imperial'], {
    description:
      'Unit system of the values. Default `metric`. Fields with a unit in their name are never converted.',
  }),
);

/** Whether rows without a value are returned. */
export function includeMissing(form: '' | 'Form 1. ') {
  return Type.Optional(
    Type.Boolean({
      description: `${form}Whether to return rows without a value, with null and the reason. Default false.`,
    }),
  );
}

export const IncludeSources = Type.Optional(
  Type.Boolean({
    description: 'Whether to return the source device of each value or session. Default false.',
  }),
);
