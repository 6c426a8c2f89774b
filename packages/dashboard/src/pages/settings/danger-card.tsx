import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { useEnvironment } from '../../app/environment.ts';
import { CodeBlock } from '../../components/code.tsx';
import { Id } from '../../components/copy.tsx';
import { Card } from '../../components/page.tsx';

/** What stops an account: said here, done where each act asks for its own confirmation. */
export function DangerCard() {
  const { account } = useSuspenseQuery(sessionQuery).data;
  const environment = useEnvironment();
  return (
    <Card title="Danger zone" note={<Id value={account.id} />}>
      <ul className="danger-list">
        <li>
          <div>
            <b>Stop every call</b>
            <p>Revoke the keys: your servers get 401 within a second. Devices go on delivering.</p>
          </div>
          <Link to="/$environment/keys" params={{ environment }} className="button">
            Go to the keys
          </Link>
        </li>
        <li>
          <div>
            <b>Suspend the account</b>
            <p>
              Everything but deleting is answered with 402, and phones still deliver. Whoever runs the service
              does it, and takes it back with <code>resume</code>.
            </p>
            <CodeBlock text={`tributary account suspend ${account.id}`} label="Command" />
          </div>
        </li>
      </ul>
    </Card>
  );
}
