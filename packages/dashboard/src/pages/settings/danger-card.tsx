import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { useEnvironment } from '../../app/environment.ts';
import { CodeBlock } from '../../components/code/code.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import { Card } from '../../components/page.tsx';

/** Lists the actions that stop an account and links to where each is confirmed. */
export function DangerCard() {
  const { account } = useSuspenseQuery(sessionQuery).data;
  const environment = useEnvironment();
  return (
    <Card title="Danger zone" note={<Id value={account.id} />}>
      <ul className="danger-list">
        <li>
          <div>
            <b>Stop all API requests</b>
            <p>Revoke the keys. Your servers get 401 within a second. Devices keep sending data.</p>
          </div>
          <Link to="/$environment/keys" params={{ environment }} className="button">
            Go to API keys
          </Link>
        </li>
        <li>
          <div>
            <b>Suspend account</b>
            <p>
              Every request except DELETE returns 402, and phones keep uploading. Your operator runs this
              command, and reverses it with <code>resume</code>.
            </p>
            <CodeBlock text={`tributary account suspend ${account.id}`} label="Command" />
          </div>
        </li>
      </ul>
    </Card>
  );
}
