import { Type } from 'typebox';
import { authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import { exampleSamples, SampleList } from '../timeseries.ts';
import { IncludeSources, readAnswer, ReadHeaders, UnitSystem, UserPath } from './read-parameters.ts';

const TimeseriesQuery = Type.Object(
  {
    metrics: Type.String({
      maxLength: 1024,
      description:
        'Metric IDs with commas between: `heart_rate`, `heart_rate_variability`, `heart_rate_variability_rmssd`, `stress_score`, ' +
        '`blood_oxygen`, `steps`, `active_calories`',
      examples: ['heart_rate'],
    }),
    start_date: Type.String({ format: 'date', description: 'The first day', examples: ['2026-03-01'] }),
    end_date: Type.String({
      format: 'date',
      description: 'The last day; at most 31 days in all, 7 or less recommended',
      examples: ['2026-03-02'],
    }),
    unit_system: UnitSystem,
    include_sources: IncludeSources,
    resolution: Type.Optional(
      Type.String({
        maxLength: 8,
        description:
          '`raw` (when absent) for every sample, or whole seconds or minutes such as `60s` or `5m`: one value for each such stretch of the day ' +
          'that has samples, their mean or sum as the catalog says',
      }),
    ),
  },
  { additionalProperties: false },
);

export const listTimeseries = {
  operationId: 'listTimeseries',
  summary: 'Samples',
  description:
    'Samples by time, streamed. Each day shows those of one device: the one that the daily value is from, or else the best one that has samples; under ' +
    '`merge`, the merged intervals. At most 700,000 samples: set `resolution` where there are more. Also open to a user token, for its own user.',
  tags: ['Data'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: TimeseriesQuery,
  response: {
    ...readAnswer('The samples', RefTo(SampleList), exampleSamples),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found'),
  },
} satisfies Operation;
