import { operationsWithForms, type Form } from '../parameters/choose-form.ts';

type Schema = Record<string, unknown>;

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description: string;
  schema: Schema;
}

interface Media {
  schema: Schema;
  examples?: Record<string, unknown>;
}

interface Response {
  headers?: Record<string, unknown>;
  content?: { 'application/json'?: Media };
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': Media } };
  responses: Record<string, Response>;
}

interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: object;
  components: Record<string, Record<string, Schema>>;
}

/** The API description of one form, for code generators: no alternatives of the other form, and nothing optional that the form requires. */
export function describeForm(whole: object, form: Form): object {
  const document = structuredClone(whole) as Document;
  document.info.title += `, Form ${form}`;
  document.info.description = describeChoice(document.info.description, form);
  for (const operation of listOperations(document)) {
    if (operation.operationId in operationsWithForms) narrow(operation, document, form);
  }
  shareParameters(document);
  removeUnused(document);
  return document;
}

function listOperations({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path));
}

function describeChoice(description: string, form: Form): string {
  const section = /## Two forms\n[\s\S]*?(?=## Limits\n)/;
  if (!section.test(description)) throw new Error('The description has no section on forms to replace.');
  return description.replace(
    section,
    `## Form ${form}\n\nThis document describes only Form ${form}. Send \`API-Form: ${form}\` with every request that has this header as a parameter.\n\n`,
  );
}

function narrow(operation: Operation, document: Document, form: Form): void {
  const fields = operationsWithForms[operation.operationId]!;
  const others = form === 1 ? fields.form2 : fields.form1;
  const own = form === 1 ? fields.form1 : fields.form2;
  operation.parameters = (operation.parameters as Parameter[]).flatMap((parameter) => {
    if (parameter.name === 'API-Form') return [formHeader(parameter, form)];
    const [prefix, ofForm, required] = /^Form ([12])(, required)?\. /.exec(parameter.description) ?? [''];
    // The texts and the table that selects the form must agree.
    if (own.includes(parameter.name) && Number(ofForm) !== form)
      throw new Error(`${operation.operationId}: \`${parameter.name}\` is not described as Form ${form}.`);
    if (others.includes(parameter.name) || (ofForm && Number(ofForm) !== form)) return [];
    const description = parameter.description.slice(prefix.length);
    return [{ ...parameter, description, ...(required ? { required: true } : {}) }];
  });
  if (operation.requestBody)
    narrowBody(operation.requestBody.content['application/json'], document, form, others);
  for (const response of Object.values(operation.responses)) {
    if (response.headers?.['API-Form']) narrowResponse(response, form);
  }
}

function formHeader(parameter: Parameter, form: Form): Parameter {
  return {
    ...parameter,
    required: true,
    description: 'The form of request and response.',
    schema: { type: 'string', enum: [String(form)] },
  };
}

/** Narrows the component of a body, which has the fields of both forms and requires those of one. */
function narrowBody(media: Media, document: Document, form: Form, others: readonly string[]): void {
  const name = String(media.schema['$ref']).split('/').at(-1)!;
  const schema = document.components['schemas']![name]!;
  const { anyOf, ...rest } = schema as Schema & { anyOf?: { title: string; required: string[] }[] };
  const properties = Object.fromEntries(
    Object.entries(rest['properties'] as Schema).filter(([field]) => !others.includes(field)),
  );
  const required = anyOf?.find(({ title }) => title === `Form ${form}`)?.required;
  document.components['schemas']![name] = { ...rest, ...(required ? { required } : {}), properties };
  media.examples = examplesOf(media, form);
}

function narrowResponse(response: Response, form: Form): void {
  response.headers!['API-Form'] = {
    schema: { type: 'string', enum: [String(form)] },
    description: 'The form of this response.',
  };
  const media = response.content?.['application/json'];
  if (!media) return;
  media.schema = pickForm(media.schema, form);
  media.examples = examplesOf(media, form);
}

/** A response in two forms is `anyOf` both, possibly combined with its warnings. */
function pickForm(schema: Schema, form: Form): Schema {
  const { allOf, anyOf } = schema as { allOf?: Schema[]; anyOf?: Schema[] };
  if (anyOf) return anyOf[form - 1]!;
  if (!allOf) throw new Error('A response in two forms has no alternatives.');
  return { allOf: allOf.map((part) => ('anyOf' in part ? pickForm(part, form) : part)) };
}

function examplesOf({ examples = {} }: Media, form: Form): Record<string, unknown> {
  const own = examples[`form_${form}`];
  return own ? { example: own } : examples;
}

/** Moves parameters that several operations have to `components.parameters`. */
function shareParameters(document: Document): void {
  const uses = new Map<string, number>();
  const operations = listOperations(document);
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared = new Map<string, string>();
  const components: Record<string, Schema> = {};
  for (const operation of operations) {
    if (!operation.parameters) continue;
    operation.parameters = (operation.parameters as Parameter[]).map((parameter) => {
      const text = JSON.stringify(parameter);
      if (uses.get(text)! < 2) return parameter;
      let name = shared.get(text);
      if (!name) {
        name = nameParameter(parameter);
        if (name in components) name += `Of${toPascalCase(operation.tags[0]!)}`;
        if (name in components) throw new Error(`Two shared parameters are named ${name}.`);
        shared.set(text, name);
        components[name] = { ...parameter };
      }
      return { $ref: `#/components/parameters/${name}` };
    });
  }
  const { responses, ...before } = document.components;
  document.components = { ...before, parameters: components, responses: responses! };
}

/** Paths name every identifier `id`, and the description says what it identifies. */
function nameParameter({ in: place, name, description }: Parameter): string {
  const kind = /^(.+) identifier\.$/.exec(description)?.[1];
  return toPascalCase(place === 'path' && kind ? `${kind} id` : name);
}

function toPascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

/** Removes components that nothing refers to, such as the responses of the other form. */
function removeUnused(document: Document): void {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, path] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (used.has(path!)) continue;
      used.add(path!);
      const [section, name] = path!.split('/') as [string, string];
      visit(document.components[section]![name]);
    }
  };
  visit([document.paths, document.webhooks]);
  for (const [section, components] of Object.entries(document.components)) {
    if (section === 'securitySchemes') continue;
    document.components[section] = Object.fromEntries(
      Object.entries(components).filter(([name]) => used.has(`${section}/${name}`)),
    );
  }
}
