import type { SyncReason, SyncState } from '@tributary/contract';
import type { FailureKind, Provider } from '@tributary/providers';

const hourMs = 3_600_000;

export interface SyncVerdict {
  state: SyncState;
  reason: SyncReason;
}

/** How a connection is doing, from when something new last came and what stood in the way. */
export function judgeSync(
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

/** A reason in words, and what would mend it. */
export function explainSync(
  reason: SyncReason,
  providerName: string,
): { message: string; nextStep: string | null } {
  switch (reason) {
    case 'on_time':
      return { message: 'Data come as they should.', nextStep: null };
    case 'nothing_new':
      return {
        message: `${providerName} has had nothing new for longer than is usual.`,
        nextStep: `Ask the person to wear the device and to open the app of ${providerName}, which brings what it measured to the cloud.`,
      };
    case 'provider_limits':
      return {
        message: `The limits of ${providerName} for this application are used up; reading goes on as soon as it allows.`,
        nextStep: `Nothing now. If it stays, ask ${providerName} for higher limits.`,
      };
    case 'provider_unavailable':
      return { message: `${providerName} does not answer as it should; it is tried again.`, nextStep: null };
    case 'consent_refused':
      return {
        message: `${providerName} refused to renew the access. It is tried a few times more.`,
        nextStep: 'If the device becomes expired, send the person through POST devices again.',
      };
    case 'consent_ended':
      return {
        message: `The consent at ${providerName} is over. What was read stays.`,
        nextStep: 'Send the person through POST devices again; the device keeps its id.',
      };
    case 'membership_lapsed':
      return {
        message: `${providerName} refuses every kind of data.`,
        nextStep: `Ask the person whether the membership at ${providerName} has ended, or connect again and allow what is to be read.`,
      };
    case 'waiting_for_person':
      return {
        message: 'The person has not authorized this device yet.',
        nextStep: 'Send the person to `auth_url`; POST devices gives a fresh one.',
      };
  }
}
