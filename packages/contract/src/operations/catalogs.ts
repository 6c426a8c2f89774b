import { Type } from 'typebox';
import {
  ConsolidationCatalog,
  exampleCatalogMetric,
  exampleConsolidationCatalog,
  MetricCatalog,
  MetricCategory,
} from '../catalog.ts';
import { authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import { readAnswer, ReadHeaders } from './read-parameters.ts';

const catalogErrors = errors('invalid_request', ...authenticatedErrors);

export const getConsolidationCatalog = {
  operationId: 'getConsolidationCatalog',
  summary: 'Get the consolidation catalog',
  description:
    'What can be set about bringing the values of several devices together: metrics and groups with their methods. Workouts are chosen as ' +
    'whole sessions and are not part of it.',
  tags: ['Catalogs'],
  headers: ReadHeaders,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...readAnswer('The catalog', RefTo(ConsolidationCatalog), exampleConsolidationCatalog),
    ...catalogErrors,
  },
} satisfies Operation;

export const listMetrics = {
  operationId: 'listMetrics',
  summary: 'List the metrics',
  description: 'The data catalog: every metric with its units, its meaning and where it is returned.',
  tags: ['Catalogs'],
  headers: ReadHeaders,
  querystring: Type.Object(
    { category: Type.Optional({ ...MetricCategory, description: 'Only the metrics of this category' }) },
    { additionalProperties: false },
  ),
  response: {
    ...readAnswer('The metrics', RefTo(MetricCatalog), { data: [exampleCatalogMetric] }),
    ...catalogErrors,
  },
} satisfies Operation;
