import { components } from '@tributary/contract';
import buildSerializer, { type Schema } from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

type Serializer = (data: unknown) => string;

/** The schemas that `$ref` refers to. */
export const componentsById = new Map(
  components.map((component) => [(component as { $id?: string }).$id, component as Schema]),
);
/** Keyed by the schema as text: most responses of most operations are the same few errors. */
const compiled = new Map<string, Serializer>();

/** Fastify's own compiler reads all components again for every response of every operation, which takes seconds at each start. */
export function installSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known) return known;
    const serializer: Serializer = buildSerializer(schema as Schema, { schema: findComponents(text) });
    compiled.set(text, serializer);
    return serializer;
  });
}

/** The components that a schema references, directly or indirectly. */
function findComponents(text: string, components: Record<string, Schema> = {}): Record<string, Schema> {
  for (const [, id] of text.matchAll(/"\$ref":"([^"#]+)#"/g)) {
    if (id === undefined || id in components) continue;
    const component = componentsById.get(id);
    if (!component) throw new Error(`unknown component ${id}`);
    components[id] = component;
    findComponents(JSON.stringify(component), components);
  }
  return components;
}
