import {
  methodDescriptions,
  operations,
  type CatalogLevelWire,
  type CatalogMetricWire,
  type ConsolidationCatalogWire,
  type ConsolidationEntryWire,
} from '@tributary/contract';
import {
  categoryOrder,
  consolidationKeyOf,
  consolidationKeys,
  findConsolidation,
  groups,
  methods,
  metrics,
  type Consolidation,
  type Level,
  type Metric,
} from '@tributary/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../frame/app-type.ts';
import { etagOfContent, isCurrent, sendNotModified } from '../caching/etag.ts';

/** The catalogs change only with the service version, so their responses are serialized once. */
export function registerCatalogRoutes(app: App): void {
  const consolidationCatalog = prepare(toConsolidationCatalogWire());
  app.get('/v1/consolidation/catalog', { schema: operations.getConsolidationCatalog }, (request, reply) =>
    sendPrepared(request, reply, consolidationCatalog),
  );

  const everyMetric = prepareMetrics(metrics);
  const byCategory = Map.groupBy(metrics, ({ category }) => category);
  const ofCategory = new Map([...byCategory].map(([category, some]) => [category, prepareMetrics(some)]));
  app.get('/v1/metrics', { schema: operations.listMetrics }, (request, reply) => {
    const { category } = request.query;
    return sendPrepared(request, reply, category ? ofCategory.get(category)! : everyMetric);
  });
}

/** A serialized response and its tag. */
interface Prepared {
  readonly text: string;
  readonly etag: string;
}

function prepare(body: object): Prepared {
  const text = JSON.stringify(body);
  return { text, etag: etagOfContent(text) };
}

function prepareMetrics(some: readonly Metric[]): Prepared {
  return prepare({ data: some.map(toMetricWire) });
}

function sendPrepared(request: FastifyRequest, reply: FastifyReply, { text, etag }: Prepared): FastifyReply {
  if (isCurrent(request, etag)) return sendNotModified(reply, etag);
  return reply.type('application/json; charset=utf-8').header('ETag', etag).send(text);
}

function toConsolidationCatalogWire(): ConsolidationCatalogWire {
  return {
    category_order: [...categoryOrder],
    methods: methods.map((method) => ({ method, description: methodDescriptions[method] })),
    metrics: consolidationKeys.map((key) => toEntryWire(findConsolidation(key)!)),
  };
}

function toEntryWire(one: Consolidation): ConsolidationEntryWire {
  const isGroup = groups.includes(one);
  return {
    key: one.key,
    display_name: one.displayName,
    category: one.category,
    kind: isGroup ? 'group' : 'metric',
    default_method: one.defaultMethod,
    allowed_methods: [...one.allowedMethods],
    ...(isGroup ? { members: [...one.members] } : {}),
  };
}

function toMetricWire(metric: Metric): CatalogMetricWire {
  return {
    id: metric.id,
    display_name: metric.displayName,
    category: metric.category,
    description: metric.description,
    unit: metric.unit,
    imperial_unit: metric.imperial.unit,
    kind: metric.kind,
    aggregation: metric.aggregation,
    origin: metric.origin,
    precision: metric.precision,
    minimum: metric.min,
    maximum: metric.max,
    maximum_per_minute: metric.maxPerMinute,
    levels: metric.levels?.map(toLevelWire) ?? null,
    timeseries: metric.timeseries,
    consolidation: toSettingWire(metric),
    codes: {
      loinc: metric.loinc,
      open_mhealth: metric.openMhealth,
      healthkit: metric.healthkit,
      health_connect: metric.healthConnect,
      ucum: metric.ucumUnit,
    },
    form_1: [...metric.form1Surfaces],
    form_2: [...metric.form2Surfaces],
    form_2_field: metric.form2Field,
  };
}

function toLevelWire({ value, name, healthkit, healthConnect }: Level): CatalogLevelWire {
  return { value, name, healthkit, health_connect: healthConnect };
}

function toSettingWire(metric: Metric): CatalogMetricWire['consolidation'] {
  const key = consolidationKeyOf(metric);
  if (key === null) return null;
  const { defaultMethod, allowedMethods } = findConsolidation(key)!;
  return { key, default_method: defaultMethod, allowed_methods: [...allowedMethods] };
}
