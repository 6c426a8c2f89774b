import { webhooks } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { messageHeaders } from '../../services/webhooks/deliveries/message-headers.ts';
import {
  createSchemaCheck,
  readOpenApiFile,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
} from '../../test/openapi-file.ts';
import { operationsWithForms } from '../parameters/choose-form.ts';
import { describeForm } from './describe-form.ts';

const whole = await readOpenApiFile();

type Written = Omit<OpenApiOperation, 'parameters'> & {
  parameters?: (OpenApiParameter | { $ref: string })[];
};

function operationOf(document: OpenApiDocument, operationId: string): Written {
  const all = Object.values(document.paths).flatMap((path) => Object.values(path));
  return all.find((operation) => operation.operationId === operationId) as unknown as Written;
}

/** Parameters by name, with references resolved. */
function parametersOf(document: OpenApiDocument, operationId: string): Record<string, OpenApiParameter> {
  const shared = (document.components as unknown as { parameters: Record<string, OpenApiParameter> })
    .parameters;
  const { parameters = [] } = operationOf(document, operationId);
  const resolved = parameters.map((one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1)!]! : one));
  return Object.fromEntries(resolved.map((parameter) => [parameter.name, parameter]));
}

describe.each([1, 2] as const)('the description of Form %s', async (form) => {
  const document = await readOpenApiFile(form);
  const text = JSON.stringify(document);
  const described = Object.keys(operationsWithForms).filter((id) => operationOf(document, id));

  test('has every operation of the whole description', () => {
    const ids = (all: OpenApiDocument) =>
      Object.values(all.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(ids(document)).toEqual(ids(whole));
    expect(described).toHaveLength(9);
  });

  test('has no alternatives of both forms', () => {
    const alternatives = [...text.matchAll(/"anyOf":(\[.*?\}\])/g)].map(([, list]) => list!);
    expect(alternatives.length).toBeGreaterThan(5);
    // What remains are values that may be null.
    for (const list of alternatives) expect(list).toContain('{"type":"null"}');
    expect(text).not.toMatch(/"description":"Form [12]\. |"form_[12]":\{"value"/);
  });

  test('has no fields of the other form', () => {
    for (const id of described) {
      const { form1, form2 } = operationsWithForms[id]!;
      const [own, others] = form === 1 ? [form1, form2] : [form2, form1];
      const { requestBody } = operationOf(document, id);
      const body = requestBody?.content['application/json'].schema as { $ref: string } | undefined;
      const schema = document.components.schemas[body?.$ref.split('/').at(-1) ?? ''] as
        | { properties: object }
        | undefined;
      const names = [...Object.keys(parametersOf(document, id)), ...Object.keys(schema?.properties ?? {})];
      expect(
        names.filter((name) => others.includes(name)),
        id,
      ).toEqual([]);
      // The table also has fields that select a form without being supported in it.
      const supported = own.filter((name) => name in parametersOf(whole, id));
      expect(names, id).toEqual(expect.arrayContaining(supported));
    }
  });

  test('requires the header that selects the form', () => {
    for (const id of described)
      expect(parametersOf(document, id)['API-Form']).toMatchObject({
        required: true,
        schema: { enum: [String(form)] },
      });
  });

  test('refers only to components that exist, and has no others', () => {
    const { securitySchemes, ...components } = document.components as unknown as Record<string, object>;
    const names = Object.entries(components).flatMap(([section, entries]) =>
      Object.keys(entries).map((name) => `#/components/${section}/${name}`),
    );
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!));
    expect([...references].toSorted()).toEqual(names.toSorted());
    expect(Object.keys(securitySchemes!)).toHaveLength(3);
  });

  test('has valid examples of every response and body', () => {
    const check = createSchemaCheck(document);
    let count = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const at = `/paths/${path.replaceAll('/', '~1')}/${method}`;
        const places = [
          [`${at}/requestBody`, operation.requestBody] as const,
          ...Object.entries(operation.responses).map(
            ([status, response]) => [`${at}/responses/${status}`, response] as const,
          ),
        ];
        for (const [place, value] of places) {
          const media = value && 'content' in value ? value.content?.['application/json'] : undefined;
          for (const [name, example] of Object.entries(media?.examples ?? {})) {
            count += 1;
            expect(
              check(`${place}/content/application~1json/schema`, example.value),
              `${place} ${name}`,
            ).toBeNull();
          }
        }
      }
    }
    expect(count).toBeGreaterThan(60);
  });
});

test('requires in each form what the form requires', async () => {
  const [one, two] = [await readOpenApiFile(1), await readOpenApiFile(2)];
  for (const id of ['listDaily', 'listSleep', 'listWorkouts']) {
    const { start_date, end_date } = parametersOf(one, id);
    expect([start_date!.required, end_date!.required], id).toEqual([true, true]);
    expect(parametersOf(two, id)['from_date']!.required, id).toBe(false);
  }
  expect(one.components.schemas['CreateUser']).toMatchObject({ required: ['reference_id'] });
  expect(two.components.schemas['CreateUser']).toMatchObject({ required: ['external_ref'] });
});

test('shares parameters that several operations have', async () => {
  const { components } = (await readOpenApiFile(2)) as unknown as {
    components: { parameters: Record<string, OpenApiParameter> };
  };
  expect(Object.keys(components.parameters)).toEqual(
    expect.arrayContaining(['ApiForm', 'IfNoneMatch', 'UserId', 'WebhookId', 'FromDate', 'ToDate']),
  );
});

test('fails when a description and the selection of the form disagree', () => {
  const changed = JSON.stringify(whole).replace('Form 1. Page number', 'Page number');
  expect(() => describeForm(JSON.parse(changed) as object, 1)).toThrow('`page` is not described as Form 1');
});

test('describes the request of a webhook as it is sent', () => {
  const { parameters, requestBody } = webhooks.event.post;
  const sent = messageHeaders([Buffer.alloc(32, 1), Buffer.alloc(32, 2)], {
    id: 'evt_1',
    body: '{}',
    nowMs: Date.now(),
  });
  const own = Object.keys(sent).filter((name) => name.startsWith('webhook-'));
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(own.toSorted());
  for (const { name, schema, example } of parameters) {
    const { pattern = '' } = schema as { pattern?: string };
    expect(sent[name], name).toMatch(new RegExp(pattern));
    expect(example, name).toMatch(new RegExp(pattern));
  }
  const { value } = requestBody.content['application/json'].examples.event;
  expect(createSchemaCheck(whole)('/components/schemas/Event', value)).toBeNull();
});
