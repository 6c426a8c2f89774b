import { ApiError } from '@tributary/contract';

export type Form = 1 | 2;

/** Fields that belong to one form of an operation, in query and body alike. */
interface FormFields {
  form1: readonly string[];
  form2: readonly string[];
  /** Without any of these dates only Form 2 can apply, because only it has defaults for them. */
  datesRequiredInForm1?: boolean;
}

const paging = { form1: ['page', 'per_page'], form2: ['limit', 'cursor'] };
const dates = { form1: ['start_date', 'end_date'], form2: ['from_date', 'to_date'] };
const reference = { form1: ['reference_id'], form2: ['external_ref'] };
const none: FormFields = { form1: [], form2: [] };

/** Every operation with two forms. All others have one shape and ignore `API-Form`. */
export const operationsWithForms: Readonly<Record<string, FormFields>> = {
  createUser: reference,
  listUsers: join(reference, paging),
  getUser: none,
  updateUser: reference,
  deleteUser: none,
  createDevice: none,
  listDaily: { ...join(dates, { form1: ['metrics'], form2: ['types'] }), datesRequiredInForm1: true },
  listScores: join(dates, { form1: [], form2: ['types'] }),
  listSleep: { ...join(dates, { form1: [], form2: ['limit', 'cursor'] }), datesRequiredInForm1: true },
  listWorkouts: { ...join(dates, paging), datesRequiredInForm1: true },
};

export interface FormRequest {
  operationId: string;
  /** The header `API-Form`. */
  header: string | undefined;
  query: object;
  body: unknown;
  accountDefault: Form;
}

/** Selects the form of a request: by header, then by its fields, then by what only one form supports, then by the account. */
export function decideForm(request: FormRequest): Form {
  const fields = operationsWithForms[request.operationId];
  if (!fields) throw new Error(`${request.operationId} has only one form`);
  const requestedForm = readHeader(request.header);
  const names = namesIn(request);
  const form1Names = fields.form1.length > 0 ? names.filter((name) => fields.form1.includes(name)) : [];
  const form2Names = fields.form2.length > 0 ? names.filter((name) => fields.form2.includes(name)) : [];
  const mixed =
    (form1Names.length > 0 && form2Names.length > 0) ||
    (requestedForm === 1 && form2Names.length > 0) ||
    (requestedForm === 2 && form1Names.length > 0);
  if (mixed) throw new ApiError('mixed_forms', { details: { form_1: form1Names, form_2: form2Names } });
  if (requestedForm) return requestedForm;
  if (form1Names.length > 0) return 1;
  if (form2Names.length > 0) return 2;
  if (fields.datesRequiredInForm1) return 2;
  return request.accountDefault;
}

function readHeader(value: string | undefined): Form | undefined {
  if (value === undefined) return undefined;
  if (value === '1') return 1;
  if (value === '2') return 2;
  const problem = 'must be 1 or 2';
  throw new ApiError('invalid_request', {
    message: `Header \`API-Form\` ${problem}.`,
    details: { fields: [{ in: 'header', name: 'API-Form', problem }] },
  });
}

function namesIn({ query, body }: FormRequest): string[] {
  if (typeof body !== 'object' || body === null) return Object.keys(query);
  const inBody = Object.keys(body);
  // A body may contain both names of the reference; then they do not select a form.
  const both = inBody.includes('reference_id') && inBody.includes('external_ref');
  const bodyNames = both
    ? inBody.filter((name) => name !== 'reference_id' && name !== 'external_ref')
    : inBody;
  return [...new Set([...Object.keys(query), ...bodyNames])];
}

function join(...parts: FormFields[]): FormFields {
  return { form1: parts.flatMap((part) => part.form1), form2: parts.flatMap((part) => part.form2) };
}
