import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useEnvironment } from '../../app/environment.ts';
import { subjectOf, wordOf, type WhySubject } from '../why/why-subject.ts';

const userTabs = ['health', 'days', 'workouts', 'devices', 'consolidation', 'events', 'reads'] as const;
export type UserTab = (typeof userTabs)[number];

/** The state of a user page, all of it in the URL. */
export interface UserAddress {
  tab: UserTab;
  /** The selected calendar day, or null for today. */
  day: string | null;
  why: WhySubject | null;
  /** The setting that a link to the consolidation tab points to. */
  settingKey: string | null;
  show: (change: AddressChange) => void;
}

interface AddressChange {
  tab?: UserTab;
  day?: string;
  /** Null closes the explanation. */
  why?: WhySubject | null;
  settingKey?: string;
}

export function useUserAddress(userId: string): UserAddress {
  const environment = useEnvironment();
  const { tab, day, why, key } = useSearch({ from: '/inside/$environment/users/$userId' });
  const navigate = useNavigate();
  const show = useCallback<UserAddress['show']>(
    (change) =>
      void navigate({
        to: '/$environment/users/$userId',
        params: { environment, userId },
        search: (before) => searchAfter(before, change),
        // Only a change of tab adds a history entry.
        replace: change.tab === undefined,
        resetScroll: false,
      }),
    [navigate, environment, userId],
  );
  return {
    tab: userTabs.find((one) => one === tab) ?? 'health',
    day: day ?? null,
    why: useMemo(() => subjectOf(why), [why]),
    settingKey: key ?? null,
    show,
  };
}

type Search = { tab?: string; day?: string; why?: string; key?: string };

function searchAfter(before: Search, { tab, day, why, settingKey }: AddressChange): Search {
  const next: Search = {
    ...before,
    ...(tab && { tab }),
    ...(day && { day }),
    ...(settingKey && { key: settingKey }),
    ...(why && { why: wordOf(why) }),
  };
  if (next.tab === 'health') delete next.tab;
  if (why === null) delete next.why;
  return next;
}
