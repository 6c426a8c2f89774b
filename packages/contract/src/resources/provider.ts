import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Words } from '../openapi/schema.ts';
import { deviceKinds } from './sdk-batch.ts';

export const ProviderInfo = Component(
  'Provider',
  Type.Object(
    {
      id: Type.String({ description: 'Provider identifier, for connecting and in every response.' }),
      name: Type.String(),
      kind: Words(deviceKinds, { description: 'The kind of device its data is ranked as.' }),
      categories: Type.Array(Type.String(), {
        description: 'Categories of the data catalog that it supplies.',
      }),
      metrics: Type.Array(Type.String(), { description: 'Metrics of the data catalog that it can supply.' }),
      push: Type.Boolean({
        description: 'Whether it pushes new data. Other providers are polled every few minutes.',
      }),
      history_days: Nullable(
        Type.Integer({ description: 'Number of days before the connection that are read.' }),
      ),
      logo_url: Type.String({ format: 'uri' }),
      status: Words(['available', 'not_configured', 'on_device'], {
        description:
          '`not_configured` providers wait for the operator. `on_device` providers are connected with the Mobile SDK. Both are listed only with `include=unavailable`.',
      }),
    },
    { description: 'A source that data can come from.' },
  ),
);
export type ProviderWire = Static<typeof ProviderInfo>;

export const ProviderList = Component(
  'ProviderList',
  Type.Object({ data: Type.Array(RefTo(ProviderInfo)) }, { description: 'A list of providers.' }),
);

export const exampleProvider: ProviderWire = {
  id: 'oura',
  name: 'Oura',
  kind: 'ring',
  categories: ['Activity', 'Energy', 'Sleep', 'Vitals'],
  metrics: ['steps', 'sleep_heart_rate'],
  push: true,
  history_days: 730,
  logo_url: 'https://health.example.com/providers/oura/logo.svg',
  status: 'available',
};
