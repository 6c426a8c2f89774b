import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Avatar, Badge, Chip, Count, Kbd, State } from '../../components/feedback/badge.tsx';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { CodeBlock, Json } from '../../components/code/code.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import { Tabs } from '../../components/controls/tabs.tsx';
import { None, Time, Tip } from '../../components/overlays/tip.tsx';
import { ToggleGroup } from '../../components/controls/toggle-group.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { EnvSwitch } from '../../shell/sidebar.tsx';
import { Row, Section } from './section.tsx';

const event = {
  id: 'evt_01jcqz4w5ve9prdk6r9f4vg1yx',
  type: 'data.updated',
  metrics: ['steps', 'heart_rate'],
  count: 214,
  late: false,
  score: null,
};

const justBefore = new Date(Date.now() - 120_000).toISOString();

export function PartStory() {
  const [span, setSpan] = useState('24h');
  const [tab, setTab] = useState('health');
  return (
    <>
      <Section title="Buttons">
        <Row>
          <Button kind="primary">
            <Plus size={14} aria-hidden />
            Connect device
          </Button>
          <Button onPress={() => toast('Syncing 3 devices')}>
            <RefreshCw size={14} aria-hidden />
            Sync now
          </Button>
          <Button kind="ghost">Ghost</Button>
          <Button kind="danger">Delete</Button>
          <Button kind="link">Link button</Button>
          <Button small>Small</Button>
          <Button isPending>Saving</Button>
          <Button isDisabled>Disabled</Button>
          <Button reason="Viewers cannot rotate keys. Ask an owner or developer.">Rotate</Button>
          <IconButton label="Delete">
            <Trash2 size={15} />
          </IconButton>
          <Menu
            label="More"
            entries={[
              { id: 'copy', label: 'Copy ID', shortcut: 'c', onAction: () => toast('Copied') },
              { id: 'export', label: 'Export', reason: 'Nothing to export yet', onAction: () => {} },
              { id: 'delete', label: 'Delete user', danger: true, onAction: () => {} },
            ]}
          />
          <ToggleGroup
            label="Time range"
            value={span}
            onChange={setSpan}
            options={['6h', '24h', '3d', '7d'].map((value) => ({ value, label: value }))}
          />
        </Row>
      </Section>
      <Section title="Labels">
        <Row>
          <State>Active</State>
          <State tone="plain">Archived</State>
          <Badge>Draft</Badge>
          <Badge tone="ok">Restored</Badge>
          <Badge tone="warn">Slow</Badge>
          <Badge tone="bad">Failing</Badge>
          <Badge tone="info">Recomputing</Badge>
          <Chip>subject.synced</Chip>
          <Count value={3} of="users" />
          <Count value={2} of="failing" bad />
          <Kbd>⌘ K</Kbd>
          <Avatar name="Ada Lovelace" />
          <Avatar name="Oura Ring" square />
          <Id value="user_01jcqz4w5ve9prdk6r9f4vg1yx" />
          <Time at={justBefore} />
          <None reason="No watch was worn that day" />
          <Tip text="Merged over time from two devices" marked>
            14,208
          </Tip>
        </Row>
      </Section>
      <Section title="Page head and environment">
        <PageHead
          title="customer-1042"
          mark={<Badge tone="ok">Active</Badge>}
          crumbs={[
            <a key="users" href="#users">
              Users
            </a>,
          ]}
          lead={
            <>
              <Id value="user_01jcqz4w5ve9prdk6r9f4vg1yx" />
              <span>Europe/Berlin</span>
              <span>synced 2 min ago</span>
            </>
          }
          actions={
            <Curl method="POST" path="/v1/users/user_01jcqz4w5ve9prdk6r9f4vg1yx/sync" body={{ days: 30 }} />
          }
        />
        <div className="story-sidebar">
          <EnvSwitch account="Acme Health" environment="sandbox" onChange={() => {}} />
        </div>
        <Tabs
          label="User"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'health', label: 'Health', content: <Card title="Health">Content.</Card> },
            {
              value: 'devices',
              label: 'Devices',
              count: 4,
              of: 'devices',
              content: <Card title="Devices">Four devices.</Card>,
            },
            { value: 'events', label: 'Events', content: <Card title="Events">No events yet.</Card> },
          ]}
        />
      </Section>
      <Section title="Code">
        <CodeBlock label="Command" text="npm run tributary -- key create --environment sandbox" />
        <Json label="Event" value={event} />
      </Section>
    </>
  );
}
