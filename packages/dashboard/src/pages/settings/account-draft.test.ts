import type { AccountSettingsWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { changesOf, commandOf, draftOf, intervalOptions } from './account-draft.ts';

const settings = {
  name: 'Acme Health',
  default_form: 1,
  organization_name: 'Acme',
  contact_email: null,
  sync_interval_seconds: 900,
} as AccountSettingsWire;

test('sends only changed fields and clears emptied ones', () => {
  const draft = draftOf(settings);
  expect(changesOf(settings, draft)).toEqual({});
  expect(changesOf(settings, { ...draft, name: ' Acme Health ' })).toEqual({});
  expect(changesOf(settings, { ...draft, organization: ' ', interval: '300', form: '2' })).toEqual({
    organization_name: null,
    sync_interval_seconds: 300,
    default_form: 2,
  });
});

test('returns the same change as a command', () => {
  expect(commandOf('acc_1', { name: "Ada's", contact_email: null })).toBe(
    `tributary account set acc_1 \\\n  --name 'Ada'\\''s' \\\n  --contact none`,
  );
});

test('includes an unusual interval in order', () => {
  const labels = intervalOptions(420).map(({ label }) => label);
  expect(labels).toContain('Every 7 minutes');
  expect(labels.indexOf('Every 7 minutes')).toBe(2);
  expect(intervalOptions(90)[1]).toEqual({ value: '90', label: 'Every 90 seconds' });
});
