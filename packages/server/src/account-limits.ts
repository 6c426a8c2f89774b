/** What each environment of an account may use. Null for no limit. */
export interface AccountLimits {
  requestsPerSecond: number;
  requestBurst: number;
  users: number | null;
  /** Uploads of phones, and the values in them, per UTC day. */
  uploadsPerDay: number | null;
  valuesPerDay: number | null;
  /** Open event streams per process. */
  streams: number;
}

/** Limits of one account that replace those of the configuration. Users have a setting of their own. */
export type LimitOverrides = { [Name in keyof Omit<AccountLimits, 'users'>]?: number };

export const overridableLimits = [
  'requestsPerSecond',
  'requestBurst',
  'uploadsPerDay',
  'valuesPerDay',
  'streams',
] as const satisfies readonly (keyof LimitOverrides)[];

/** The limits that apply to an account. */
export function limitsOf(
  defaults: AccountLimits,
  { userLimit, limits }: { userLimit: number | null; limits: LimitOverrides },
): AccountLimits {
  return { ...defaults, ...limits, users: userLimit ?? defaults.users };
}
