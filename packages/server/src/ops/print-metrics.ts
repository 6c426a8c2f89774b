import { AggregatorRegistry } from 'prom-client';
import type { Context } from '../context.ts';

/** The metrics of the process, including those of its ingest thread. */
export async function printMetrics({
  metrics: { registry },
  ingestThread,
}: Pick<Context, 'metrics' | 'ingestThread'>): Promise<string> {
  if (!ingestThread) return registry.metrics();
  const [own, ofThread] = await Promise.all([registry.getMetricsAsJSON(), ingestThread.readMetrics()]);
  return AggregatorRegistry.aggregate([own, ofThread]).metrics();
}
