import type { SyncReason, SyncState } from '@tributary/contract';
import { hourMs } from '@tributary/domain';
import type { FailureKind, Provider } from '@tributary/providers';

export interface SyncVerdict {
  state: SyncState;
  reason: SyncReason;
}

/** Classifies a connection by the time since its last new data and the failure that delayed it. */
export function classifySync(
  { cadence }: Pick<Provider, 'cadence'>,
  facts: { lastNewsMs: number; nowMs: number; failure: FailureKind | null; allForbidden: boolean },
): SyncVerdict {
  const quietHours = (facts.nowMs - facts.lastNewsMs) / hourMs;
  const state =
    quietHours >= cadence.silentHours ? 'silent' : quietHours >= cadence.lateHours ? 'late' : 'fresh';
  if (facts.allForbidden) return { state: state === 'fresh' ? 'late' : state, reason: 'membership_lapsed' };
  if (state === 'fresh') return { state, reason: 'on_time' };
  if (facts.failure === 'limited') return { state, reason: 'provider_limits' };
  if (facts.failure === 'unavailable') return { state, reason: 'provider_unavailable' };
  return { state, reason: 'nothing_new' };
}

const newLink = 'request a new link with `POST /v1/users/{id}/devices` and send it to the user.';

/** Describes a reason, and the step that would resolve it. */
export function explainSync(
  reason: SyncReason,
  providerName: string,
): { message: string; nextStep: string | null } {
  switch (reason) {
    case 'on_time':
      return { message: 'Syncing normally.', nextStep: null };
    case 'nothing_new':
      return {
        message: `No new data from ${providerName} for longer than usual.`,
        nextStep: `Ask the user to wear the device and open the ${providerName} app. The app uploads the measurements to the cloud.`,
      };
    case 'provider_limits':
      return {
        message: `The rate limit of ${providerName} for this provider app is exhausted. Syncing resumes as soon as the limit allows.`,
        nextStep: `No action needed now. If this persists, ask ${providerName} for higher limits.`,
      };
    case 'provider_unavailable':
      return {
        message: `${providerName} is not responding as expected. Syncing is retried automatically.`,
        nextStep: null,
      };
    case 'consent_refused':
      return {
        message: `${providerName} refused to renew access. The service retries a few more times.`,
        nextStep: `If the device becomes \`expired\`, ${newLink}`,
      };
    case 'consent_ended':
      return {
        message: `The user's consent at ${providerName} has ended. Data read before then is kept.`,
        nextStep: `To reconnect, ${newLink} The device keeps its id.`,
      };
    case 'membership_lapsed':
      return {
        message: `${providerName} denies access to every type of data.`,
        nextStep: `Ask the user whether their ${providerName} membership has ended. Otherwise, have them connect again and allow access to their data.`,
      };
    case 'waiting_for_person':
      return {
        message: 'The user has not authorized this device yet.',
        nextStep: 'Send the user to `auth_url`. `POST /v1/users/{id}/devices` returns a new one.',
      };
  }
}
