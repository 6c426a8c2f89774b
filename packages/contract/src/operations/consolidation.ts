import { Type } from 'typebox';
import {
  ConsolidationChange,
  ConsolidationConfiguration,
  ConsolidationPatch,
  ConsolidationPreview,
  exampleConfiguration,
  exampleConsolidationPatch,
  exampleConsolidationPreview,
} from '../resources/consolidation.ts';
import {
  jsonResponse,
  authenticatedErrors,
  errors,
  evenSuspendedErrors,
  type Operation,
} from '../openapi/operation.ts';
import { CalendarDate, RefTo } from '../openapi/schema.ts';
import { cacheableResponse, ReadHeaders, UserPath } from './read-parameters.ts';

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
  description:
    'Returns the effective settings: every key of the catalog with its method, and every connected provider.',
  response: {
    ...cacheableResponse('The effective settings.', RefTo(ConsolidationConfiguration), exampleConfiguration),
    ...errors('invalid_request', ...authenticatedErrors, 'user_not_found'),
  },
} satisfies Operation;

export const updateConsolidation = {
  ...shared,
  ...patch,
  operationId: 'updateConsolidation',
  summary: "Update a user's consolidation settings",
  description:
    "Changes only the supplied settings, all or nothing. The settings are stored before the response. The service then recomputes the user's " +
    'history within moments, once for changes that arrive close together, and sends `subject.synced` if that changed any value. Set the members ' +
    'of a group through their group.',
  response: {
    202: jsonResponse('The settings are stored.', RefTo(ConsolidationChange), {
      status: 'reconsolidating',
      configuration: exampleConfiguration,
    }),
    ...patchErrors,
  },
} satisfies Operation;

export const resetConsolidation = {
  ...shared,
  operationId: 'resetConsolidation',
  summary: "Reset a user's consolidation settings",
  description:
    'Restores the catalog defaults: removes method overrides and provider exclusions, and nothing else.',
  response: {
    202: jsonResponse('The defaults are restored.', RefTo(ConsolidationChange), {
      status: 'unchanged',
      configuration: exampleConfiguration,
    }),
    ...errors('invalid_request', ...evenSuspendedErrors, 'user_not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const previewConsolidation = {
  ...shared,
  ...patch,
  operationId: 'previewConsolidation',
  summary: 'Preview a consolidation change',
  description:
    'Takes the same body as an update and returns the values that it would change. Stores nothing.',
  querystring: Type.Object(
    {
      from_date: Type.Optional({
        ...CalendarDate,
        description:
          'First day, YYYY-MM-DD. Default 29 days before `to_date`. The range is at most 366 days.',
      }),
      to_date: Type.Optional({
        ...CalendarDate,
        description: "Last day, YYYY-MM-DD. Default the current day in the user's time zone.",
      }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse(
      'The values that would change.',
      RefTo(ConsolidationPreview),
      exampleConsolidationPreview,
    ),
    ...patchErrors,
  },
} satisfies Operation;
