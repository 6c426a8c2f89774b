import type { AuditEntryWire } from '@tributary/contract';
import { Badge, Chip } from '../../components/feedback/badge.tsx';
import { Json } from '../../components/code/code.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import { Notice, Skeleton } from '../../components/feedback/feedback.tsx';
import { Panel } from '../../components/panel.tsx';
import { Diff } from '../../components/tables/timeline.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { dayAndTime, plural } from '../../words/time.ts';
import { changesOf, isRead, describeAction, describeActor } from './audit-text.ts';
import { readsOf, type AuditLine } from './audit-visits.ts';

export interface EntryPanelProps {
  entry: AuditEntryWire | null;
  /** The line of the entry, or null if it is not in the table. */
  visit: AuditLine | null;
  isLoading: boolean;
  names: Record<string, string>;
  onClose: () => void;
}

export function EntryPanel({ entry, visit, isLoading, names, onClose }: EntryPanelProps) {
  return (
    <Panel title={entry ? describeAction(entry.action) : 'Audit entry'} onClose={onClose}>
      {entry ? (
        <EntryView entry={entry} visit={visit} names={names} />
      ) : isLoading ? (
        <Skeleton heights={[160, 120]} label="Loading entry" />
      ) : (
        <Notice title="This entry is not loaded.">Load more entries or remove a filter.</Notice>
      )}
    </Panel>
  );
}

function EntryView({
  entry,
  visit,
  names,
}: Omit<EntryPanelProps, 'isLoading' | 'onClose'> & { entry: AuditEntryWire }) {
  const changes = changesOf(entry);
  const { before: _before, after: _after, ...details } = entry.details;
  const rest = changes.length > 0 ? details : entry.details;
  return (
    <>
      {isRead(entry) && (
        <Notice title="User data was read.">
          Reads change nothing. They are recorded to show who saw which data.
        </Notice>
      )}
      <dl className="audit-facts">
        <dt>Action</dt>
        <dd>
          <Chip>{entry.action}</Chip>
        </dd>
        <dt>Time</dt>
        <dd>
          <Time at={entry.at} /> <span className="quiet">{dayAndTime(entry.at)}</span>
        </dd>
        <dt>Actor</dt>
        <dd>
          {describeActor(entry, names)}
          <Id value={entry.actor.id} />
        </dd>
        <dt>Target</dt>
        <dd>
          {entry.target.type.replaceAll('_', ' ')}
          <Id value={entry.target.id} />
        </dd>
        <dt>IP address</dt>
        <dd>{entry.address ? <code>{entry.address}</code> : <None reason="No address recorded" />}</dd>
        <dt>Environment</dt>
        <dd>{entry.environment ? <Badge>{entry.environment}</Badge> : 'Entire account'}</dd>
        <dt>Request ID</dt>
        <dd>{entry.request_id ? <Id value={entry.request_id} /> : <None reason="Not an API request" />}</dd>
        <dt>Position</dt>
        <dd>{entry.position} in the chain</dd>
        <dt>Hash</dt>
        <dd>
          <code>{entry.hash}</code>
        </dd>
      </dl>
      {visit && visit.entries.length > 1 && <Visit visit={visit} />}
      {changes.length > 0 && (
        <Diff
          summary="Before and after"
          changes={changes.map(({ name, before, after }) => ({
            id: name,
            label: name,
            before: formatValue(before),
            after: formatValue(after),
          }))}
        />
      )}
      {Object.keys(rest).length > 0 && <Json value={rest} label="Details" />}
      {entry.text && <Json value={entry.text} label="Personal data" />}
      <div className="row">
        <Curl method="GET" path="/v1/audit" query={{ target_id: entry.target.id }} />
        <span className="quiet">All actions on this target</span>
      </div>
    </>
  );
}

/** All reads of a user in one visit. Each is an audit entry of its own, and the export lists them. */
function Visit({ visit }: { visit: AuditLine }) {
  return (
    <section className="audit-visit">
      <h3>Read in this visit</h3>
      <ul>
        {readsOf(visit).map(({ what, count, at }) => (
          <li key={what}>
            <span>{what}</span>
            <span className="quiet">
              {count > 1 && `${plural(count, 'time')}, last `}
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
