import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditEntryWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

export interface AuditFilter {
  action: string | null;
  target_id: string | null;
  actor_id: string | null;
  since: string | null;
  until: string | null;
}

interface AuditPage {
  data: AuditEntryWire[];
  next_cursor: string | null;
}

const readPage = (
  environment: Environment,
  filter: AuditFilter,
  page: { cursor: string | null; limit?: number; signal?: AbortSignal },
) => {
  const { cursor, limit, signal } = page;
  return call<AuditPage>('GET', '/v1/audit', {
    environment,
    query: { ...filter, limit, cursor },
    ...(signal && { signal }),
  });
};

export const auditQuery = (environment: Environment, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', environment, filter],
    queryFn: ({ pageParam, signal }) => readPage(environment, filter, { cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** Reads all entries that match the filter, newest first, up to a limit. */
export async function readWholeAudit(
  environment: Environment,
  filter: AuditFilter,
  most: number,
): Promise<{ entries: AuditEntryWire[]; isWhole: boolean }> {
  const entries: AuditEntryWire[] = [];
  let cursor: string | null = null;
  do {
    const page: AuditPage = await readPage(environment, filter, { cursor, limit: 100 });
    entries.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && entries.length < most);
  return { entries, isWhole: cursor === null };
}
