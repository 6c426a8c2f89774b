import { Gauge } from 'prom-client';
import type { Context } from '../context.ts';
import { checkReadiness, type Readiness } from './readiness.ts';

/** Reports at scrape time what `/readyz` reports. Tests start several listeners for one process. */
export function observeReadiness(ctx: Context): void {
  const registers = [ctx.metrics.registry];
  if (ctx.metrics.registry.getSingleMetric('tributary_ready')) return;
  let running: Promise<Readiness> | null = null;
  const check = () => (running ??= checkReadiness(ctx).finally(() => (running = null)));
  new Gauge({
    name: 'tributary_ready',
    help: '1 while this process is ready',
    registers,
    async collect() {
      this.set((await check()).status === 'ready' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'tributary_component_ok',
    help: '1 while a component that this process uses works, by the names of /readyz',
    labelNames: ['component'],
    registers,
    async collect() {
      const { checks } = await check();
      this.reset();
      for (const [component, state] of Object.entries(checks))
        this.set({ component }, state === 'ok' ? 1 : 0);
    },
  });
}
