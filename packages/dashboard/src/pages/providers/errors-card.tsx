import type { ProviderRowWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../../app/environment.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Card } from '../../components/page.tsx';
import { number } from '../../words/time.ts';
import { describeErrorKind } from './provider-text.ts';

/** Errors by kind, with the number of affected connections. */
export function ErrorsCard({ row }: { row: ProviderRowWire }) {
  const environment = useEnvironment();
  return (
    <Card
      title="Errors"
      actions={
        row.affected > 0 && (
          <Link to="/$environment/users" params={{ environment }} search={{ filter: 'not_syncing' }}>
            {number(row.affected)} affected
          </Link>
        )
      }
    >
      {row.errors.length === 0 ? (
        <p className="quiet">No errors.</p>
      ) : (
        <ul className="provider-errors">
          {row.errors.map(({ kind, count }) => (
            <li key={kind}>
              <Chip>{kind}</Chip>
              <span>{describeErrorKind(kind)}</span>
              <b>
                {number(count.value)}
                {count.more && '+'}
              </b>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
