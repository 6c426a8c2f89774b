import type { OverviewWire } from '@tributary/contract';
import { Bars } from '../../charts/bars.tsx';
import { Stat } from '../../components/page.tsx';
import { number, plural } from '../../words/time.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const about = (isAbout: boolean) => (isAbout ? 'about ' : '');

/** Four figures of the last day, each by hour. */
export function Tiles({ tiles: { accepted, fresh, delivered, events } }: { tiles: OverviewWire['tiles'] }) {
  const batches = accepted.hours.reduce((sum, hour) => sum + hour.batches, 0);
  const sent = delivered.hours.map(({ first, later, failed }) => first + later + failed);
  const tried = sent.reduce((sum, one) => sum + one, 0);
  const first = delivered.hours.reduce((sum, hour) => sum + hour.first, 0);
  const failed = delivered.hours.reduce((sum, hour) => sum + hour.failed, 0);
  const connections = fresh.fresh + fresh.late + fresh.silent + fresh.ended;
  return (
    <div className="tiles">
      <Stat
        label="Accepted"
        value={compact.format(accepted.total)}
        unit="values"
        note={`In ${plural(batches, 'batch', 'batches')}`}
      >
        <Bars label="Values accepted by hour" values={accepted.hours.map(({ values }) => values)} />
      </Stat>
      <Stat
        label="Fresh"
        value={fresh.share === null ? '–' : `${number(fresh.share * 100)}%`}
        unit={fresh.share === null ? 'no connections yet' : 'of connections'}
        note={
          connections === 0
            ? 'Uploads have no schedule'
            : `${number(fresh.late)} late, ${number(fresh.silent)} silent, ${number(fresh.ended)} ended`
        }
      >
        <FreshBar fresh={fresh} />
      </Stat>
      <Stat
        label="Delivered"
        value={tried === 0 ? '–' : `${number((first / tried) * 100)}%`}
        unit={tried === 0 ? 'nothing to deliver' : 'on first attempt'}
        note={
          failed === 0
            ? `${about(delivered.approximate)}${number(delivered.total)} delivered`
            : `${number(failed)} attempts failed`
        }
      >
        <Bars
          label="Deliveries by hour; highlighted hours had failures"
          values={sent}
          bad={delivered.hours.flatMap((hour, at) => (hour.failed > 0 ? [at] : []))}
        />
      </Stat>
      <Stat
        label="Events"
        value={`${events.approximate ? '~' : ''}${compact.format(events.total)}`}
        unit="sent"
        note={describeTypes(events.hours)}
      >
        <Bars label="Events by hour" values={events.hours.map(({ count }) => count)} />
      </Stat>
    </div>
  );
}

/** Shares of connections by state, fresh ones first. */
function FreshBar({ fresh }: { fresh: OverviewWire['tiles']['fresh'] }) {
  const parts = [
    ['fresh', fresh.fresh],
    ['late', fresh.late],
    ['silent', fresh.silent],
    ['ended', fresh.ended],
  ] as const;
  const summary = parts.map(([name, count]) => `${number(count)} ${name}`).join(', ');
  return (
    <span className="fresh-bar chart-image" role="img" aria-label={`Connections: ${summary}`}>
      {parts.map(
        ([name, count]) => count > 0 && <span key={name} className={name} style={{ flexGrow: count }} />,
      )}
    </span>
  );
}

/** The most frequent event types. */
function describeTypes(hours: OverviewWire['tiles']['events']['hours']): string {
  const sums = new Map<string, number>();
  for (const { types } of hours)
    for (const [type, count] of Object.entries(types)) sums.set(type, (sums.get(type) ?? 0) + count);
  const [most] = [...sums].sort(([, a], [, b]) => b - a);
  return most ? `${number(most[1])} ${most[0]}` : 'None in the last 24 hours';
}
