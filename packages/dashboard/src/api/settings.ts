import { queryOptions } from '@tanstack/react-query';
import type { AccountSettingsWire } from '@tributary/contract';
import { call } from './client/client.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call<AccountSettingsWire>('GET', '/dashboard/api/settings', { signal }),
});

export interface SettingsChange {
  name?: string;
  default_form?: number;
  organization_name?: string | null;
  contact_email?: string | null;
  sync_interval_seconds?: number;
  require_authenticator?: boolean;
  add_redirect_urls?: string[];
  remove_redirect_urls?: string[];
}

export const changeSettings = (body: SettingsChange) =>
  call<AccountSettingsWire>('PATCH', '/dashboard/api/settings', { body });
