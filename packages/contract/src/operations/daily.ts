import { Type } from 'typebox';
import { DailyColumns, DailyRows, exampleColumns, exampleRows } from '../resources/daily.ts';
import { authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import {
  form1Dates,
  form2Dates,
  FormReadHeaders,
  includeMissing,
  IncludeSources,
  metricList,
  cacheableResponseInForms,
  UnitSystem,
  UserPath,
} from './read-parameters.ts';

const DailyQuery = Type.Object(
  {
    metrics: metricList(
      'Form 1. Comma-separated metric IDs. Default all except reproductive health, which is returned only by ID.',
    ),
    types: metricList(
      'Form 2. Comma-separated metric IDs. Default all daily metrics except reproductive health, which is returned only by ID.',
    ),
    ...form1Dates(90),
    ...form2Dates,
    unit_system: UnitSystem,
    include_sources: IncludeSources,
    include_missing: includeMissing('Form 1. '),
    include_reasons: Type.Optional(
      Type.Boolean({
        description: 'Form 2. Whether to return the reason for each missing value. Default false.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const listDaily = {
  operationId: 'listDaily',
  summary: 'List daily values',
  description:
    'Returns one value per metric and day, consolidated from all devices. Form 1 returns a row for each value and requires both dates. Form 2 returns columns ' +
    "and defaults to the 30 days up to today. Days are calendar days in the user's time zone. A user token can read its own user.",
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: DailyQuery,
  response: {
    ...cacheableResponseInForms(
      'The daily values.',
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
