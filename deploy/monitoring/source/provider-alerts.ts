import { ageAlert } from './age-alerts.ts';
import { fires, staysQuiet, type Alert } from './alert.ts';

const a = 'job="tributary",instance="a"';

/** Whether data of providers arrives in time. */
export const providerAlerts: readonly Alert[] = [
  ageAlert(
    'ProviderPushesDelayed',
    'provider-pushes',
    { seconds: 60, for: '1m', firesAt: '90s' },
    { severity: 'ticket', summary: 'Pushes of providers are not dispatched within a minute.' },
  ),
  {
    name: 'ProviderPushesFail',
    severity: 'ticket',
    summary: 'Pushes of the provider {{ $labels.provider }} cannot be processed.',
    // One that failed once was probably interrupted. One that cannot be processed is tried every ten minutes.
    expr: 'sum by (provider) (increase(tributary_provider_push_failures_total[1h])) > 4',
    cases: [
      fires({ [pushFailures('postponed')]: '0+1x20' }, '5m', { provider: 'garmin' }),
      staysQuiet({ [pushFailures('postponed')]: '0x5 1x100' }),
      staysQuiet({ [pushFailures('postponed')]: '400x100' }),
    ],
  },
  ageAlert(
    'SyncsDelayed',
    'syncs',
    { seconds: 900, for: '5m', firesAt: '6m' },
    { severity: 'ticket', summary: 'Connections have been due for more than 15 minutes.' },
  ),
  ageAlert(
    'HistoryImportsDelayed',
    'history-imports',
    { seconds: 21_600, for: '10m', firesAt: '11m' },
    { severity: 'ticket', summary: 'History of new connections has waited for more than six hours.' },
  ),
  ageAlert(
    'HistoryDocumentsDelayed',
    'history-documents',
    { seconds: 21_600, for: '10m', firesAt: '11m' },
    { severity: 'ticket', summary: 'Documents of provider histories have waited for more than six hours.' },
  ),
  {
    name: 'ProviderCallsFail',
    severity: 'ticket',
    summary: 'Most sync runs of the provider {{ $labels.provider }} fail.',
    expr: `${syncRate('outcome=~"unavailable|refused|unauthorized"')} > 0.5 * ${syncRate()}`,
    for: '1m',
    cases: [
      fires({ [syncRuns('oura', 'unavailable')]: '0+3x60', [syncRuns('oura', 'ok')]: '0+2x60' }, '90s', {
        provider: 'oura',
      }),
      staysQuiet({ [syncRuns('oura', 'unavailable')]: '0+2x60', [syncRuns('oura', 'ok')]: '0+3x60' }, '5m'),
      staysQuiet({ [syncRuns('oura', 'consent_ended')]: '0+3x60' }, '5m'),
    ],
  },
  {
    name: 'ProviderLimitReached',
    severity: 'ticket',
    summary: 'Sync runs of the provider {{ $labels.provider }} wait for its rate limit.',
    expr: `${syncRate('outcome="limited"')} > 0.2 * ${syncRate()}`,
    for: '15m',
    cases: [
      fires({ [syncRuns('whoop', 'limited')]: '0+1x150', [syncRuns('whoop', 'ok')]: '0+3x150' }, '20m', {
        provider: 'whoop',
      }),
      staysQuiet({ [syncRuns('whoop', 'limited')]: '0+1x150', [syncRuns('whoop', 'ok')]: '0+5x150' }),
    ],
  },
  ageAlert(
    'TokenRenewalsDelayed',
    'token-renewals',
    { seconds: 120, for: '30s', firesAt: '50s' },
    { severity: 'page', summary: 'Provider tokens are not refreshed within two minutes.' },
  ),
  {
    name: 'TokenRenewalsFail',
    severity: 'ticket',
    summary: 'Most refreshes of provider tokens fail.',
    expr: `${renewalRate('outcome!~"renewed|consent_ended"')} > 0.5 * ${renewalRate()}`,
    for: '2m',
    cases: [
      fires({ [renewals('unavailable')]: '0+3x60', [renewals('renewed')]: '0+2x60' }, '3m'),
      staysQuiet({ [renewals('consent_ended')]: '0+3x60', [renewals('renewed')]: '0+2x60' }, '5m'),
    ],
  },
];

function syncRuns(provider: string, outcome: string): string {
  return `tributary_sync_runs_total{${a},provider="${provider}",cause="poll",outcome="${outcome}"}`;
}

function syncRate(matcher = ''): string {
  return `sum by (provider) (rate(tributary_sync_runs_total{${matcher}}[10m]))`.replace('{}', '');
}

function renewals(outcome: string): string {
  return `tributary_token_renewals_total{${a},outcome="${outcome}"}`;
}

function renewalRate(matcher = ''): string {
  return `sum(rate(tributary_token_renewals_total{${matcher}}[10m]))`.replace('{}', '');
}

function pushFailures(outcome: string): string {
  return `tributary_provider_push_failures_total{${a},provider="garmin",outcome="${outcome}"}`;
}
