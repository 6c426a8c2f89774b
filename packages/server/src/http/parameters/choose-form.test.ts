import { expect, test } from 'vitest';
import { decideForm, operationsWithForms, type Form } from './choose-form.ts';

interface Row {
  operationId: string;
  header?: string;
  query?: string;
  body?: object;
  accountDefault?: Form;
  form: Form | 'mixed_forms' | 'invalid_request';
}

// Each line is a request and its expected form. Without `accountDefault`, both defaults must give the same result.
const table: Row[] = [
  // 1. The header.
  { operationId: 'getUser', header: '1', form: 1 },
  { operationId: 'getUser', header: '2', form: 2 },
  { operationId: 'deleteUser', header: '2', form: 2 },
  { operationId: 'listUsers', header: '1', form: 1 },
  { operationId: 'listUsers', header: '2', form: 2 },
  { operationId: 'listUsers', header: '1', query: 'page=2', form: 1 },
  { operationId: 'listUsers', header: '2', query: 'limit=5', form: 2 },
  { operationId: 'listDaily', header: '1', form: 1 },
  { operationId: 'listScores', header: '2', form: 2 },
  { operationId: 'createDevice', header: '2', body: { provider: 'oura' }, form: 2 },
  { operationId: 'getUser', header: '3', form: 'invalid_request' },
  { operationId: 'getUser', header: '', form: 'invalid_request' },
  { operationId: 'getUser', header: '1, 2', form: 'invalid_request' },
  { operationId: 'getUser', header: 'one', form: 'invalid_request' },
  { operationId: 'listUsers', header: '01', form: 'invalid_request' },
  // 2. The names of query fields,
  { operationId: 'listUsers', query: 'page=1', form: 1 },
  { operationId: 'listUsers', query: 'per_page=10', form: 1 },
  { operationId: 'listUsers', query: 'reference_id=a', form: 1 },
  { operationId: 'listUsers', query: 'reference_id=', form: 1 },
  { operationId: 'listUsers', query: 'limit=10', form: 2 },
  { operationId: 'listUsers', query: 'cursor=x', form: 2 },
  { operationId: 'listUsers', query: 'external_ref=a', form: 2 },
  // @contract all/forms: `start_date` and `end_date` select Form 1
  { operationId: 'listDaily', query: 'start_date=2026-01-01&end_date=2026-01-02', form: 1 },
  // @contract all/forms: `metrics` on daily selects Form 1
  { operationId: 'listDaily', query: 'metrics=steps', form: 1 },
  // @contract all/forms: `from_date` and `to_date` select Form 2
  { operationId: 'listDaily', query: 'from_date=2026-01-01', form: 2 },
  // @contract all/forms: `from_date` and `to_date` select Form 2
  { operationId: 'listDaily', query: 'to_date=2026-01-01', form: 2 },
  // @contract all/forms: `types` selects Form 2
  { operationId: 'listDaily', query: 'types=steps', form: 2 },
  // @contract all/forms: `types` and dates on scores select Form 2
  { operationId: 'listScores', query: 'types=sleep_score', form: 2 },
  // @contract all/forms: `types` and dates on scores select Form 2
  { operationId: 'listScores', query: 'from_date=2026-01-01', form: 2 },
  // @contract all/forms: `start_date` and `end_date` select Form 1
  { operationId: 'listSleep', query: 'start_date=2026-01-01', form: 1 },
  // @contract all/forms: `limit` and `cursor` select Form 2
  { operationId: 'listSleep', query: 'limit=5', form: 2 },
  // @contract all/forms: `page` and `per_page` select Form 1
  { operationId: 'listWorkouts', query: 'page=1', form: 1 },
  // @contract all/forms: `page` and `per_page` select Form 1
  { operationId: 'listWorkouts', query: 'per_page=5', form: 1 },
  // @contract all/forms: `limit` and `cursor` select Form 2
  { operationId: 'listWorkouts', query: 'cursor=x', form: 2 },
  // ... and of body fields.
  { operationId: 'createUser', body: { reference_id: 'a' }, form: 1 },
  { operationId: 'createUser', body: { external_ref: 'a' }, form: 2 },
  { operationId: 'updateUser', body: { reference_id: 'a' }, form: 1 },
  { operationId: 'updateUser', body: { external_ref: 'a', timezone: 'UTC' }, form: 2 },
  // Both names of the reference in a body select no form.
  { operationId: 'createUser', body: { reference_id: 'a', external_ref: 'a' }, accountDefault: 1, form: 1 },
  { operationId: 'createUser', body: { reference_id: 'a', external_ref: 'a' }, accountDefault: 2, form: 2 },
  { operationId: 'createUser', body: { reference_id: 'a', external_ref: 'b' }, accountDefault: 2, form: 2 },
  { operationId: 'createUser', header: '2', body: { reference_id: 'a', external_ref: 'a' }, form: 2 },
  // Fields that belong to no form select none.
  { operationId: 'updateUser', body: { timezone: 'UTC' }, accountDefault: 1, form: 1 },
  { operationId: 'updateUser', body: { timezone: 'UTC' }, accountDefault: 2, form: 2 },
  { operationId: 'getUser', query: 'page=1', accountDefault: 2, form: 2 },
  { operationId: 'createUser', body: { page: 1 }, accountDefault: 2, form: 2 },
  { operationId: 'listScores', query: 'metrics=steps', accountDefault: 1, form: 1 },
  { operationId: 'listSleep', query: 'types=x', accountDefault: 1, form: 2 },
  // 3. The only form that supports the request.
  // @contract all/forms: Daily without dates is Form 2, regardless of the account's default form
  { operationId: 'listDaily', form: 2 },
  { operationId: 'listDaily', query: 'unit_system=imperial', form: 2 },
  // @contract all/forms: Sleep without dates is Form 2
  { operationId: 'listSleep', form: 2 },
  { operationId: 'listSleep', query: 'include_sources=true', form: 2 },
  // @contract all/forms: Workouts without dates are Form 2
  { operationId: 'listWorkouts', form: 2 },
  // 4. The account's default.
  { operationId: 'getUser', accountDefault: 1, form: 1 },
  { operationId: 'getUser', accountDefault: 2, form: 2 },
  { operationId: 'deleteUser', accountDefault: 1, form: 1 },
  { operationId: 'deleteUser', accountDefault: 2, form: 2 },
  { operationId: 'listUsers', accountDefault: 1, form: 1 },
  { operationId: 'listUsers', accountDefault: 2, form: 2 },
  { operationId: 'listScores', accountDefault: 1, form: 1 },
  { operationId: 'listScores', accountDefault: 2, form: 2 },
  { operationId: 'createDevice', body: { provider: 'oura' }, accountDefault: 2, form: 2 },
  // Fields of both forms, or of the form that the header did not select.
  { operationId: 'listUsers', query: 'page=1&limit=5', form: 'mixed_forms' },
  { operationId: 'listUsers', query: 'reference_id=a&external_ref=a', form: 'mixed_forms' },
  { operationId: 'listUsers', query: 'per_page=5&cursor=x', form: 'mixed_forms' },
  { operationId: 'listUsers', header: '1', query: 'limit=5', form: 'mixed_forms' },
  { operationId: 'listUsers', header: '2', query: 'page=1', form: 'mixed_forms' },
  { operationId: 'listDaily', query: 'start_date=2026-01-01&to_date=2026-01-02', form: 'mixed_forms' },
  { operationId: 'listDaily', query: 'metrics=steps&types=steps', form: 'mixed_forms' },
  { operationId: 'listDaily', header: '1', query: 'from_date=2026-01-01', form: 'mixed_forms' },
  { operationId: 'listWorkouts', query: 'start_date=2026-01-01&limit=5', form: 'mixed_forms' },
  { operationId: 'createUser', header: '2', body: { reference_id: 'a' }, form: 'mixed_forms' },
  { operationId: 'createUser', header: '1', body: { external_ref: 'a' }, form: 'mixed_forms' },
];

test.each(table)('$operationId header=$header ?$query $body default=$accountDefault → $form', (row) => {
  for (const accountDefault of row.accountDefault ? [row.accountDefault] : ([1, 2] as const)) {
    const decide = () =>
      decideForm({
        operationId: row.operationId,
        header: row.header,
        query: Object.fromEntries(new URLSearchParams(row.query)),
        body: row.body,
        accountDefault,
      });
    if (typeof row.form === 'number') expect(decide()).toBe(row.form);
    else expect(decide).toThrow(expect.objectContaining({ code: row.form }));
  }
});

test('lists the fields of each form when they are mixed', () => {
  const decide = () =>
    decideForm({
      operationId: 'listUsers',
      header: undefined,
      query: { page: '1', limit: '2', cursor: 'x' },
      body: undefined,
      accountDefault: 1,
    });
  expect(decide).toThrow(
    expect.objectContaining({ details: { form_1: ['page'], form_2: ['limit', 'cursor'] } }),
  );
});

test('gives exactly ten operations two forms', () => {
  expect(Object.keys(operationsWithForms)).toHaveLength(10);
});
