import { Type } from 'typebox';
import { answer, answerInForms, FormHeader, noContent } from '../operation.ts';
import { Words } from '../schema.ts';
import { exampleUser } from '../user.ts';

/** What reads of a user's data have in common. */
export const UserPath = Type.Object({
  id: Type.String({ description: 'User identifier', examples: [exampleUser.id] }),
});

const IfNoneMatch = Type.Optional(
  Type.String({ description: 'The `ETag` of an answer that you have: 304 while it is still current' }),
);
export const ReadHeaders = Type.Object({ 'If-None-Match': IfNoneMatch });
export const FormReadHeaders = Type.Object({ ...FormHeader.properties, 'If-None-Match': IfNoneMatch });

const ETag = { type: 'string', description: 'Names this answer; send it back in `If-None-Match`' };

/** An answer that a client may keep and ask after. */
export function readAnswer(...parts: Parameters<typeof answer>) {
  return { 200: { ...answer(...parts), headers: { ETag } }, ...unchanged };
}

export function readAnswerInForms(...parts: Parameters<typeof answerInForms>) {
  const inForms = answerInForms(...parts);
  return { 200: { ...inForms, headers: { ...inForms.headers, ETag } }, ...unchanged };
}

const unchanged = { 304: { ...noContent('You have it already'), headers: { ETag } } };

function date(description: string) {
  return Type.Optional(Type.String({ format: 'date', description }));
}

/** Both dates of Form 1, which asks for them. */
export function form1Dates(mostDays: number) {
  return {
    start_date: date('Form 1, required. The first day'),
    end_date: date(`Form 1, required. The last day; at most ${mostDays} days in all, both included`),
  };
}

/** Both dates of Form 2, which has defaults for them. */
export const form2Dates = {
  from_date: date('Form 2. The first day; 29 days before the last when absent'),
  to_date: date(
    "Form 2. The last day; today in the user's timezone when absent; at most 366 days in all, both included",
  ),
};

/** A list of metric ids; which ones there are is judged later, with an error that names the offenders. */
export function metricList(description: string) {
  return Type.Optional(Type.String({ maxLength: 8192, description }));
}

export const UnitSystem = Type.Optional(
  Words(['metric', 'imperial'], {
    description: 'Metric when absent. Fields with a unit in their name never convert',
  }),
);

export const IncludeSources = Type.Optional(
  Type.Boolean({ description: 'Whether to tell which device each value or session is from' }),
);
