import { Type } from 'typebox';
import {
  ConsolidationCatalog,
  exampleCatalogMetric,
  exampleConsolidationCatalog,
  MetricCatalog,
  MetricCategory,
} from '../catalog.ts';
import { answer, authenticatedErrors, errors, noContent, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';

const ConditionalHeaders = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The `ETag` of an answer that you have: 304 while it is still current' }),
  ),
});

const tagged = {
  headers: { ETag: { type: 'string', description: 'Names this answer; send it back in `If-None-Match`' } },
};

const catalogErrors = {
  304: { ...noContent('You have it already'), ...tagged },
  ...errors('invalid_request', ...authenticatedErrors),
};

export const getConsolidationCatalog = {
  operationId: 'getConsolidationCatalog',
  summary: 'Get the consolidation catalog',
  description:
    'What can be set about bringing the values of several devices together: metrics and groups with their methods. Workouts are chosen as ' +
    'whole sessions and are not part of it.',
  tags: ['Catalogs'],
  headers: ConditionalHeaders,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: { ...answer('The catalog', RefTo(ConsolidationCatalog), exampleConsolidationCatalog), ...tagged },
    ...catalogErrors,
  },
} satisfies Operation;

export const listMetrics = {
  operationId: 'listMetrics',
  summary: 'List the metrics',
  description: 'The data catalog: every metric with its units, its meaning and where it is returned.',
  tags: ['Catalogs'],
  headers: ConditionalHeaders,
  querystring: Type.Object(
    { category: Type.Optional({ ...MetricCategory, description: 'Only the metrics of this category' }) },
    { additionalProperties: false },
  ),
  response: {
    200: { ...answer('The metrics', RefTo(MetricCatalog), { data: [exampleCatalogMetric] }), ...tagged },
    ...catalogErrors,
  },
} satisfies Operation;
