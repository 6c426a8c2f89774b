import { Type } from 'typebox';
import { DailyColumns, DailyRows, exampleColumns, exampleRows } from '../daily.ts';
import { authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import {
  form1Dates,
  form2Dates,
  FormReadHeaders,
  IncludeSources,
  metricList,
  readAnswerInForms,
  UnitSystem,
  UserPath,
} from './read-parameters.ts';

const DailyQuery = Type.Object(
  {
    metrics: metricList('Form 1. Metric IDs with commas between; all when absent'),
    types: metricList('Form 2. Metric IDs with commas between; all daily metrics when absent'),
    ...form1Dates(90),
    ...form2Dates,
    unit_system: UnitSystem,
    include_sources: IncludeSources,
    include_reasons: Type.Optional(
      Type.Boolean({ description: 'Form 2. Whether to tell why values are missing' }),
    ),
  },
  { additionalProperties: false },
);

export const listDaily = {
  operationId: 'listDaily',
  summary: 'Daily values',
  description:
    'One value for each metric and day, made of what all devices said. Form 1 answers rows and asks for both dates; Form 2 answers columns and ' +
    'has defaults: the 30 days up to today. Days are calendar days in the timezone of the user. Also open to a user token, for its own user.',
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: DailyQuery,
  response: {
    ...readAnswerInForms(
      'The daily values',
      { schema: RefTo(DailyRows), example: exampleRows },
      { schema: RefTo(DailyColumns), example: exampleColumns },
    ),
    ...errors(
      'invalid_request',
      'mixed_forms',
      ...authenticatedErrors,
      'wrong_user',
      'not_found',
      'invalid_types',
    ),
  },
} satisfies Operation;
