/** A section of docs/contract.md. Tests refer to it by its key, or by its key and that of a part: `daily-1/fields`. */
interface Section {
  key: string;
  title: string;
  /** Titles of the parts by key, in page order. A section without parts lists its sentences directly. */
  parts?: Record<string, string>;
}

/** The sections of docs/contract.md, in page order. */
export const sections: readonly Section[] = [
  {
    key: 'all',
    title: 'All endpoints',
    parts: {
      formats: 'Formats',
      forms: 'Forms',
      units: 'Units',
      sources: 'From devices to canonical values',
      caching: 'Caching',
      credentials: 'Credentials and limits',
    },
  },
  {
    key: 'daily-1',
    title: '`GET /v1/users/{id}/daily`, Form 1',
    parts: { fields: 'Fields and parameters', invalid: 'Invalid parameters', statuses: 'Status codes' },
  },
  {
    key: 'daily-2',
    title: '`GET /v1/users/{id}/daily`, Form 2',
    parts: {
      fields: 'Fields and parameters',
      rules: 'Form 2 rules',
      invalid: 'Invalid parameters',
      statuses: 'Status codes',
    },
  },
  {
    key: 'scores-1',
    title: '`GET /v1/users/{id}/scores`, Form 1',
    parts: { fields: 'Fields and parameters', statuses: 'Status codes' },
  },
  {
    key: 'scores-2',
    title: '`GET /v1/users/{id}/scores`, Form 2',
    parts: {
      fields: 'Fields and parameters',
      rules: 'Form 2 rules',
      invalid: 'Invalid parameters',
      statuses: 'Status codes',
    },
  },
  {
    key: 'score-history',
    title: '`GET /v1/users/{id}/scores/history`',
    parts: { fields: 'Fields and parameters', invalid: 'Invalid parameters', statuses: 'Status codes' },
  },
  {
    key: 'timeseries',
    title: '`GET /v1/users/{id}/timeseries`',
    parts: {
      fields: 'Fields, parameters and limits',
      invalid: 'Invalid parameters',
      statuses: 'Status codes',
    },
  },
  {
    key: 'sleep',
    title: '`GET /v1/users/{id}/sleep`',
    parts: {
      fields: 'Fields',
      pages: 'Days, pages and limits',
      invalid: 'Invalid parameters',
      'statuses-1': 'Status codes, Form 1',
      'statuses-2': 'Status codes, Form 2',
    },
  },
  {
    key: 'workouts',
    title: '`GET /v1/users/{id}/workouts`',
    parts: {
      fields: 'Fields',
      pages: 'Days, pages and limits',
      invalid: 'Invalid parameters',
      'statuses-1': 'Status codes, Form 1',
      'statuses-2': 'Status codes, Form 2',
    },
  },
  {
    key: 'workout',
    title: '`GET /v1/users/{id}/workouts/{workout_id}`',
    parts: { fields: 'Fields', statuses: 'Status codes' },
  },
  {
    key: 'devices',
    title: '`GET /v1/users/{id}/devices`',
    parts: { fields: 'Fields', statuses: 'Status codes' },
  },
  {
    key: 'catalog',
    title: '`GET /v1/consolidation/catalog`',
    parts: { fields: 'Fields', statuses: 'Status codes' },
  },
  {
    key: 'metrics',
    title: '`GET /v1/metrics` _(addition)_',
    parts: { fields: 'Fields and parameters', statuses: 'Status codes' },
  },
  {
    key: 'consolidation',
    title: '`GET /v1/users/{id}/consolidation`',
    parts: { fields: 'Fields', statuses: 'Status codes' },
  },
  {
    key: 'consolidation-update',
    title: '`PATCH /v1/users/{id}/consolidation`',
    parts: {
      effects: 'States and effects',
      methods: 'Methods',
      events: 'Events',
      errors: 'Specific errors',
      statuses: 'Status codes',
    },
  },
  {
    key: 'consolidation-reset',
    title: '`DELETE /v1/users/{id}/consolidation`',
    parts: { effects: 'Effects', statuses: 'Status codes' },
  },
  {
    key: 'consolidation-preview',
    title: '`POST /v1/users/{id}/consolidation/preview` _(addition)_',
    parts: { fields: 'Fields, parameters and errors', statuses: 'Status codes' },
  },
  {
    key: 'explain-daily',
    title: '`GET /v1/users/{id}/daily/explain` _(addition)_',
    parts: { fields: 'Fields, parameters and errors', statuses: 'Status codes' },
  },
  {
    key: 'explain-score',
    title: '`GET /v1/users/{id}/scores/explain` _(addition)_',
    parts: { fields: 'Fields, parameters and errors', statuses: 'Status codes' },
  },
  {
    key: 'explain-sleep',
    title: '`GET /v1/users/{id}/sleep/{sleep_id}/explain` _(addition)_',
    parts: { fields: 'Fields and errors', statuses: 'Status codes' },
  },
  {
    key: 'explain-workout',
    title: '`GET /v1/users/{id}/workouts/{workout_id}/explain` _(addition)_',
    parts: { fields: 'Fields and errors', statuses: 'Status codes' },
  },
  { key: 'sdk-batches', title: '`POST /v1/sdk/batches` _(addition)_' },
  { key: 'events', title: 'Event feed' },
  { key: 'webhooks', title: 'Webhooks' },
  { key: 'roster', title: 'Team roster' },
  { key: 'access-records', title: 'Access records' },
];
