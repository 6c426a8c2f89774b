import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Words } from './schema.ts';
import { deviceKinds } from './sdk-batch.ts';

export const ProviderInfo = Component(
  'Provider',
  Type.Object(
    {
      id: Type.String({ description: 'Provider identifier, for connecting and in every answer' }),
      name: Type.String(),
      kind: Words(deviceKinds, { description: 'What its data are ranked as between devices' }),
      categories: Type.Array(Type.String(), { description: 'Categories of the data catalog that it brings' }),
      metrics: Type.Array(Type.String(), { description: 'Metrics of the data catalog that it can bring' }),
      push: Type.Boolean({
        description: 'Whether it tells of new data by itself; others are asked every few minutes',
      }),
      history_days: Nullable(Type.Integer({ description: 'How many days before the connection are read' })),
      logo_url: Type.String({ format: 'uri' }),
      status: Words(['available', 'not_configured', 'on_device'], {
        description:
          '`not_configured` ones wait for the operator, `on_device` ones are connected by the Mobile SDK; both show only with `include=unavailable`',
      }),
    },
    { description: 'Where data can come from' },
  ),
);
export type ProviderWire = Static<typeof ProviderInfo>;

export const ProviderList = Component(
  'ProviderList',
  Type.Object({ data: Type.Array(RefTo(ProviderInfo)) }, { description: 'Providers' }),
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
