import { useCallback, useState } from 'react';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { CursorList } from '../../components/tables/cursor-list.tsx';
import { Card } from '../../components/page.tsx';
import { Pagination } from '../../components/tables/pagination.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { Time } from '../../components/overlays/tip.tsx';
import { Section } from './section.tsx';
import { users, type StoryUser } from './samples.ts';

const columns: readonly Column<StoryUser>[] = [
  { key: 'reference', label: 'Reference', cell: ({ reference, id }) => <a href={`#${id}`}>{reference}</a> },
  { key: 'id', label: 'ID', wideOnly: true, cell: ({ id }) => <code>{id}</code> },
  {
    key: 'state',
    label: 'Status',
    cell: ({ state }) => (state === 'Active' ? <State>Active</State> : <Badge tone="warn">{state}</Badge>),
  },
  { key: 'devices', label: 'Devices', number: true, wideOnly: true, cell: ({ devices }) => devices },
  { key: 'synced', label: 'Last sync', number: true, cell: ({ syncedAt }) => <Time at={syncedAt} end /> },
];

export function TableStory() {
  const [shown, setShown] = useState(25);
  const [explained, setExplained] = useState<string | null>(null);
  const more = useCallback(() => setShown((count) => Math.min(users.length, count + 25)), []);
  return (
    <Section title="Tables">
      <Card title="Users" padded={false}>
        <Table
          label="Users"
          columns={columns}
          rows={users.slice(0, 5)}
          rowKey={({ id }) => id}
          currentKey={explained}
          copy={({ id }) => id}
          explain={({ id }) => setExplained(id)}
        />
        <Pagination onPrevious={null} onNext={() => {}}>
          1–5 of 400
        </Pagination>
      </Card>
      <Card title="Users by cursor" padded={false}>
        <CursorList
          label="Users by cursor"
          noun="users"
          columns={columns}
          rows={users.slice(0, shown)}
          rowKey={({ id }) => id}
          hasMore={shown < 75}
          isLoading={false}
          onMore={more}
        />
      </Card>
    </Section>
  );
}
