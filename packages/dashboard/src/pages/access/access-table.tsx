import type { AccessRecordWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/client/client.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Card } from '../../components/page.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { CursorList, type CursorListProps } from '../../components/tables/cursor-list.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { describeOperation } from '../audit/audit-visits.ts';
import './access.css';
import { describeCredential, describeDays, outcomeNames } from './access-text.ts';

interface AccessTableProps extends Pick<
  CursorListProps<AccessRecordWire>,
  'rows' | 'hasMore' | 'isLoading' | 'onMore'
> {
  names: Record<string, string>;
  /** Whether all rows are about one user, whom the page names. */
  isOfUser?: boolean;
}

/** Access records, newest first. */
export function AccessTable({ names, isOfUser = false, ...list }: AccessTableProps) {
  const environment = useEnvironment();
  const columns = columnsOf(environment, names, isOfUser);
  return (
    <Card padded={false}>
      <CursorList<AccessRecordWire>
        label="Data access"
        noun="reads"
        rowKey={({ id }) => id}
        copy={({ credential }) => credential.id}
        columns={columns}
        {...list}
      />
    </Card>
  );
}

function columnsOf(
  environment: Environment,
  names: Record<string, string>,
  isOfUser: boolean,
): readonly Column<AccessRecordWire>[] {
  return [
    {
      key: 'who',
      label: 'Credential',
      cell: (record) => (
        <Link
          className="access-who"
          to="/$environment/access"
          params={{ environment }}
          search={{ search: record.credential.id }}
        >
          {describeCredential(record, names)}
          <code>{record.credential.id}</code>
        </Link>
      ),
    },
    ...(isOfUser ? [] : [userColumn(environment)]),
    {
      key: 'what',
      label: 'Data',
      cell: ({ operation, user_id: userId }) => (
        <span className="access-what">
          {describeOperation(operation)}
          {!isOfUser && userId !== null && (
            <Link className="narrow-only" to="/$environment/users/$userId" params={{ environment, userId }}>
              {/* IDs begin alike. */}
              <code>…{userId.slice(-8)}</code>
            </Link>
          )}
        </span>
      ),
    },
    {
      key: 'days',
      label: 'Days',
      wideOnly: true,
      cell: (record) => describeDays(record) ?? <None reason="This operation has no days" />,
    },
    { key: 'outcome', label: 'Outcome', wideOnly: true, cell: ({ outcome }) => outcomeNames[outcome] },
    { key: 'at', label: 'Time', number: true, cell: ({ at }) => <Time at={at} end /> },
  ];
}

function userColumn(environment: Environment): Column<AccessRecordWire> {
  return {
    key: 'user',
    label: 'User',
    wideOnly: true,
    cell: ({ user_id: userId }) =>
      userId === null ? (
        <None reason="A response that may concern several users" />
      ) : (
        <Link to="/$environment/users/$userId" params={{ environment, userId }}>
          <code className="access-id">{userId}</code>
        </Link>
      ),
  };
}
