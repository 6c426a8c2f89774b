import { Type } from 'typebox';
import {
  ConnectDevice,
  DeviceList,
  DeviceSyncEnvelope,
  exampleDevice,
  exampleDeviceSync,
  examplePendingDevice,
  PendingDeviceEnvelope,
} from '../resources/device.ts';
import {
  jsonResponse,
  authenticatedErrors,
  errors,
  evenSuspendedErrors,
  noContent,
  type Operation,
} from '../openapi/operation.ts';
import { exampleProvider, ProviderList } from '../resources/provider.ts';
import { RefTo, Words } from '../openapi/schema.ts';
import { cacheableResponse, ReadHeaders, UserPath } from './read-parameters.ts';

export const listProviders = {
  operationId: 'listProviders',
  summary: 'List providers',
  description:
    "Lists the cloud providers that can be connected now in the key's environment. The sandbox has simulated providers that behave like the real ones.",
  tags: ['Devices'],
  querystring: Type.Object(
    {
      include: Type.Optional(
        Words(['unavailable'], {
          description: '`unavailable` adds the providers that cannot be connected here, with the reason.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The providers.', RefTo(ProviderList), { data: [exampleProvider] }),
    ...errors('invalid_request', ...authenticatedErrors),
  },
} satisfies Operation;

export const connectDevice = {
  operationId: 'connectDevice',
  summary: 'Connect a provider',
  description:
    'Returns the URL of a page that shows the user what will be read and continues to the provider for authorization. A user has one connection ' +
    'per provider. A repeated request returns the same device with a new URL, and a working connection keeps working.',
  tags: ['Devices'],
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  body: RefTo(ConnectDevice),
  bodyExamples: {
    oura: { provider: 'oura', redirect_url: 'https://app.example.com/connected' },
  },
  response: {
    200: jsonResponse('The device, and the URL to send the user to.', RefTo(PendingDeviceEnvelope), {
      data: examplePendingDevice,
    }),
    ...errors(
      'invalid_request',
      'unknown_provider',
      'provider_unavailable',
      'use_mobile_sdk',
      'redirect_url_not_allowed',
      ...authenticatedErrors,
      'not_found',
      'payload_too_large',
    ),
  },
} satisfies Operation;

export const listDevices = {
  operationId: 'listDevices',
  summary: "List a user's devices",
  description: 'A user token can read its own user.',
  tags: ['Devices'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...cacheableResponse("The user's devices.", RefTo(DeviceList), {
      data: [exampleDevice],
    }),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found'),
  },
} satisfies Operation;

const DevicePath = Type.Object({
  ...UserPath.properties,
  device_id: Type.String({ description: 'Device identifier.', examples: [exampleDevice.id] }),
});

export const deleteDevice = {
  operationId: 'deleteDevice',
  summary: 'Remove a device',
  description:
    'Removes the device from every list immediately. Its history and its share of the canonical values are removed within moments. If the device ' +
    'belongs to a cloud provider, the service ends the authorization there. A phone that uploads for the device again reconnects it, without the ' +
    'data it uploaded before.',
  tags: ['Devices'],
  params: DevicePath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    204: noContent('Removed.'),
    ...errors('invalid_request', ...evenSuspendedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const getDeviceSync = {
  operationId: 'getDeviceSync',
  summary: 'Get the sync status of a connection',
  description:
    'Returns the status of a connection to a cloud provider: its last sync runs and their results, and how far its history has been read. Mobile ' +
    'SDK devices have no sync status.',
  tags: ['Devices'],
  params: DevicePath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: jsonResponse('The sync status.', RefTo(DeviceSyncEnvelope), { data: exampleDeviceSync }),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;
