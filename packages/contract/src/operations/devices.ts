import { Type } from 'typebox';
import {
  ConnectDevice,
  DeviceList,
  DeviceSyncEnvelope,
  exampleDevice,
  exampleDeviceSync,
  examplePendingDevice,
  PendingDeviceEnvelope,
} from '../device.ts';
import { answer, authenticatedErrors, errors, noContent, type Operation } from '../operation.ts';
import { exampleProvider, ProviderList } from '../provider.ts';
import { RefTo, Words } from '../schema.ts';
import { readAnswer, ReadHeaders, UserPath } from './read-parameters.ts';

export const listProviders = {
  operationId: 'listProviders',
  summary: 'List providers',
  description:
    'The cloud providers that can be connected now, in the environment of the key: the sandbox has made-up ones that behave like the real.',
  tags: ['Devices'],
  querystring: Type.Object(
    {
      include: Type.Optional(
        Words(['unavailable'], { description: 'Adds those that cannot be connected here, with the reason' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The providers', RefTo(ProviderList), { data: [exampleProvider] }),
    ...errors('invalid_request', ...authenticatedErrors),
  },
} satisfies Operation;

export const connectDevice = {
  operationId: 'connectDevice',
  summary: 'Connect a provider',
  description:
    'Answers the address of a page on which the person sees what will be read, and goes on to the provider to allow it. One connection for each user and ' +
    'provider: asking again answers the same device with a fresh address, and a connection that works goes on working.',
  tags: ['Devices'],
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  body: RefTo(ConnectDevice),
  bodyExamples: {
    oura: { provider: 'oura', redirect_url: 'https://app.example.com/connected' },
  },
  response: {
    200: answer('The device, and where to send the person', RefTo(PendingDeviceEnvelope), {
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
  description: 'Also open to a user token, for its own user.',
  tags: ['Devices'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...readAnswer('The devices of the user', RefTo(DeviceList), {
      data: [exampleDevice],
    }),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found'),
  },
} satisfies Operation;

const DevicePath = Type.Object({
  ...UserPath.properties,
  device_id: Type.String({ description: 'Device identifier', examples: [exampleDevice.id] }),
});

export const deleteDevice = {
  operationId: 'deleteDevice',
  summary: 'Remove a device',
  description:
    'The device is gone from every list at once; its history, and what it gave to the answers, goes within moments. A cloud provider is told ' +
    'that the consent is over. A phone that delivers for it again connects it anew, without what it had delivered before.',
  tags: ['Devices'],
  params: DevicePath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    204: noContent('Removed'),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const getDeviceSync = {
  operationId: 'getDeviceSync',
  summary: "Read a connection's syncing",
  description:
    'How a connection to a cloud provider is doing: its last runs and what they brought, and how far its history is read. Devices of the Mobile SDK have none.',
  tags: ['Devices'],
  params: DevicePath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: answer('The syncing', RefTo(DeviceSyncEnvelope), { data: exampleDeviceSync }),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;
