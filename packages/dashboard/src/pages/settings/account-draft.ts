import type { AccountSettingsWire } from '@tributary/contract';
import type { SettingsChange } from '../../api/settings.ts';
import { plural } from '../../words/time.ts';

/** The settings in the fields of the form. */
export interface AccountDraft {
  name: string;
  organization: string;
  contact: string;
  form: '1' | '2';
  /** Seconds. */
  interval: string;
}

export function draftOf(settings: AccountSettingsWire): AccountDraft {
  return {
    name: settings.name,
    organization: settings.organization_name ?? '',
    contact: settings.contact_email ?? '',
    form: settings.default_form === 2 ? '2' : '1',
    interval: String(settings.sync_interval_seconds),
  };
}

/** Returns only changed fields, so that colleagues who change different settings do not overwrite each other. */
export function changesOf(settings: AccountSettingsWire, draft: AccountDraft): SettingsChange {
  const was = draftOf(settings);
  const changes: SettingsChange = {};
  if (draft.name.trim() !== was.name) changes.name = draft.name.trim();
  if (draft.organization.trim() !== was.organization)
    changes.organization_name = draft.organization.trim() || null;
  if (draft.contact.trim() !== was.contact) changes.contact_email = draft.contact.trim() || null;
  if (draft.form !== was.form) changes.default_form = Number(draft.form);
  if (draft.interval !== was.interval) changes.sync_interval_seconds = Number(draft.interval);
  return changes;
}

const usualIntervals = [60, 300, 900, 1_800, 3_600, 21_600, 86_400];

/** The usual intervals and the current one. */
export function intervalOptions(current: number): { value: string; label: string }[] {
  const all = [...new Set([...usualIntervals, current])].sort((a, b) => a - b);
  return all.map((seconds) => ({ value: String(seconds), label: `Every ${formatInterval(seconds)}` }));
}

function formatInterval(seconds: number): string {
  if (seconds === 60) return 'minute';
  if (seconds === 3_600) return 'hour';
  if (seconds === 86_400) return 'day';
  if (seconds % 3_600 === 0) return plural(seconds / 3_600, 'hour');
  if (seconds % 60 === 0) return plural(seconds / 60, 'minute');
  return plural(seconds, 'second');
}

/** Returns the same change as a command for the operator. */
export function commandOf(accountId: string, changes: SettingsChange): string {
  const parts = [`tributary account set ${accountId}`];
  if (changes.name !== undefined) parts.push(`--name ${quote(changes.name)}`);
  if (changes.organization_name !== undefined)
    parts.push(`--organization ${quote(changes.organization_name ?? 'none')}`);
  if (changes.contact_email !== undefined) parts.push(`--contact ${quote(changes.contact_email ?? 'none')}`);
  if (changes.default_form !== undefined) parts.push(`--default-form ${changes.default_form}`);
  if (changes.sync_interval_seconds !== undefined)
    parts.push(`--sync-interval ${changes.sync_interval_seconds}`);
  return parts.join(' \\\n  ');
}

function quote(text: string): string {
  return /^[\w@.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
