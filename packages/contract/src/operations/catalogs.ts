import { Type } from 'typebox';
import {
  ConsolidationCatalog,
  exampleCatalogMetric,
  exampleConsolidationCatalog,
  MetricCatalog,
  MetricCategory,
} from '../catalog.ts';
import { authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { cacheableResponse, ReadHeaders } from './read-parameters.ts';

const catalogErrors = errors('invalid_request', ...authenticatedErrors);

export const getConsolidationCatalog = {
  operationId: 'getConsolidationCatalog',
  summary: 'Get the consolidation catalog',
  description:
    'Returns the metrics and groups whose consolidation method can be set, with their allowed methods. Workouts are selected as whole sessions ' +
    'and are not part of this catalog.',
  tags: ['Catalogs'],
  headers: ReadHeaders,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...cacheableResponse(
      'The consolidation catalog.',
      RefTo(ConsolidationCatalog),
      exampleConsolidationCatalog,
    ),
    ...catalogErrors,
  },
} satisfies Operation;

export const listMetrics = {
  operationId: 'listMetrics',
  summary: 'List metrics',
  description:
    'Returns the data catalog: every metric with its units, its meaning and the endpoints that return it.',
  tags: ['Catalogs'],
  headers: ReadHeaders,
  querystring: Type.Object(
    { category: Type.Optional({ ...MetricCategory, description: 'Only metrics of this category.' }) },
    { additionalProperties: false },
  ),
  response: {
    ...cacheableResponse('The metrics.', RefTo(MetricCatalog), { data: [exampleCatalogMetric] }),
    ...catalogErrors,
  },
} satisfies Operation;
