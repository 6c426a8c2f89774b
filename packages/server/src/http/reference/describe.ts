import { readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { createLog } from '../../log.ts';
import { buildApp } from '../frame/app.ts';

/** The OpenAPI document of the API, built without engines: the same one that every node serves at /openapi.json. */
export async function describeApi(): Promise<object> {
  const app = await buildApp(contextWithoutEngines());
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

/** Routes use the context when they are called, not when they are registered. This stub throws if that changes. */
function contextWithoutEngines(): Context {
  const config = readConfig({
    TRIBUTARY_ENV: 'test',
    DATABASE_URL: 'postgres://none',
    NATS_URL: 'nats://none',
    ENCRYPTION_KEYS: `1:${Buffer.alloc(32).toString('base64')}`,
    LOG_LEVEL: 'silent',
  });
  const parts: Partial<Context> = { config, log: createLog(config, 'api'), newId: () => '' };
  return new Proxy(parts as Context, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name) as unknown;
      throw new Error(
        `generating the API description accessed ctx.${String(name)}, which exists only while serving`,
      );
    },
  });
}
