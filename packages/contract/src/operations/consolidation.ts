import { Type } from 'typebox';
import {
  ConsolidationChange,
  ConsolidationConfiguration,
  ConsolidationPatch,
  ConsolidationPreview,
  exampleConfiguration,
  exampleConsolidationPatch,
  exampleConsolidationPreview,
} from '../consolidation.ts';
import { answer, authenticatedErrors, errors, type Operation } from '../operation.ts';
import { CalendarDate, RefTo } from '../schema.ts';
import { readAnswer, ReadHeaders, UserPath } from './read-parameters.ts';

const shared = {
  tags: ['Consolidation'],
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
};

const patch = {
  body: RefTo(ConsolidationPatch),
  bodyExamples: {
    several: exampleConsolidationPatch,
    catalog_again: { metrics: { steps: { method: null } } },
    leave_out: { providers: { garmin: false } },
  },
};

const patchErrors = errors(
  'invalid_request',
  'invalid_body',
  ...authenticatedErrors,
  'user_not_found',
  'payload_too_large',
  'invalid_metric',
  'invalid_method',
  'invalid_provider',
);

export const getConsolidation = {
  ...shared,
  operationId: 'getConsolidation',
  headers: ReadHeaders,
  summary: "Get a user's consolidation settings",
  description: 'The effective state: every key of the catalog with its method, and every connected provider.',
  response: {
    ...readAnswer('The configuration', RefTo(ConsolidationConfiguration), exampleConfiguration),
    ...errors('invalid_request', ...authenticatedErrors, 'user_not_found'),
  },
} satisfies Operation;

export const updateConsolidation = {
  ...shared,
  ...patch,
  operationId: 'updateConsolidation',
  summary: "Change a user's consolidation settings",
  description:
    'Only what is given changes, all of it or nothing. Stored before the answer; history is rebuilt within moments, changes that come close ' +
    'together in one go, and `subject.synced` tells when that made any answer different. Members of a group are set through their group.',
  response: {
    202: answer('Stored', RefTo(ConsolidationChange), {
      status: 'reconsolidating',
      configuration: exampleConfiguration,
    }),
    ...patchErrors,
  },
} satisfies Operation;

export const resetConsolidation = {
  ...shared,
  operationId: 'resetConsolidation',
  summary: "Restore the catalog's consolidation settings",
  description: 'Removes methods that were set and exclusions of providers, and nothing else.',
  response: {
    202: answer('Restored', RefTo(ConsolidationChange), {
      status: 'unchanged',
      configuration: exampleConfiguration,
    }),
    ...errors('invalid_request', ...authenticatedErrors, 'user_not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const previewConsolidation = {
  ...shared,
  ...patch,
  operationId: 'previewConsolidation',
  summary: 'Preview a change of consolidation settings',
  description:
    'Takes the body of the change and tells which answers it would make different. Stores nothing.',
  querystring: Type.Object(
    {
      from_date: Type.Optional({
        ...CalendarDate,
        description: 'YYYY-MM-DD; default 29 days before `to_date`, at most 366 days with it',
      }),
      to_date: Type.Optional({
        ...CalendarDate,
        description: "YYYY-MM-DD; default the current day in the user's timezone",
      }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('What would change', RefTo(ConsolidationPreview), exampleConsolidationPreview),
    ...patchErrors,
  },
} satisfies Operation;
