import { Type } from 'typebox';
import { authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { exampleSamples, SampleList } from '../resources/timeseries.ts';
import { IncludeSources, cacheableResponse, ReadHeaders, UnitSystem, UserPath } from './read-parameters.ts';

const TimeseriesQuery = Type.Object(
  {
    metrics: Type.String({
      maxLength: 1024,
      description:
        'Comma-separated metric IDs: `heart_rate`, `heart_rate_variability`, `heart_rate_variability_rmssd`, `stress_score`, `blood_oxygen`, `steps`, `active_calories`.',
      examples: ['heart_rate'],
    }),
    start_date: Type.String({ format: 'date', description: 'First day.', examples: ['2026-03-01'] }),
    end_date: Type.String({
      format: 'date',
      description: 'Last day. The range is at most 31 days; 7 or fewer are recommended.',
      examples: ['2026-03-02'],
    }),
    unit_system: UnitSystem,
    include_sources: IncludeSources,
    resolution: Type.Optional(
      Type.String({
        maxLength: 8,
        description:
          '`raw` for every sample, or a whole number of seconds or minutes such as `60s` or `5m` for one value per interval that has samples. The ' +
          'value is their mean or sum, as the catalog defines. Default `raw`.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const listTimeseries = {
  operationId: 'listTimeseries',
  summary: 'List samples',
  description:
    'Streams samples in order of time. Each day shows the samples of one device: the source of the daily value, or else the best-ranked device ' +
    'that has samples. With the method `merge`, it shows the merged intervals. A response has at most 700,000 samples. Set `resolution` if there ' +
    'are more. A user token can read its own user.',
  tags: ['Data'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: TimeseriesQuery,
  response: {
    ...cacheableResponse('The samples.', RefTo(SampleList), exampleSamples),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found'),
  },
} satisfies Operation;
