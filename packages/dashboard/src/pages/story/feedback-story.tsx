import { ApiFailure } from '../../api/client/failure.ts';
import { Button } from '../../components/controls/button.tsx';
import { Empty, ErrorBox, Notice, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Diff, Timeline } from '../../components/tables/timeline.tsx';
import { Section } from './section.tsx';

const failure = new ApiFailure({
  status: 503,
  code: 'unavailable',
  message: 'The database does not respond. Nothing was changed. Try again in a minute.',
  requestId: 'req_01jcqz4w5ve9prdk6r9f4vg1yx',
});
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export function FeedbackStory() {
  return (
    <Section title="Feedback">
      <Notice tone="warn" title="Garmin stopped 12 days ago." action={<Button small>Create new link</Button>}>
        The user withdrew the authorization. Steps and workouts have come from Apple Watch since then.
      </Notice>
      <Notice title="Recomputing.">30 days are being recomputed. Values may change until then.</Notice>
      <Notice tone="ok" title="Delivered again.">
        The endpoint has responded since 14:02.
      </Notice>
      <ErrorBox error={failure} title="Could not load users." onRetry={() => {}} />
      <Card padded={false}>
        <Empty
          title="Your users will appear here."
          request={{ method: 'POST', path: '/v1/users', body: { reference_id: 'customer-1042' } }}
          action={<Button>Create user</Button>}
          waiting="Waiting for the first user"
        />
      </Card>
      <Skeleton heights={[32, 120]} />
      <div className="two">
        <Card title="Timeline">
          <Timeline
            label="Endpoint history"
            happenings={[
              { id: '3', at: ago(3), title: 'Returned 200', detail: '318 deliveries recovered', tone: 'ok' },
              {
                id: '2',
                at: ago(48),
                title: 'Returned 502',
                detail: 'Attempt 6, next attempt in 30 min',
                tone: 'bad',
              },
              { id: '1', at: ago(310), title: 'Secret rotated', detail: 'by Ada Lovelace', tone: 'info' },
            ]}
          />
        </Card>
        <Card title="Diff">
          <Diff
            summary="12 of 30 days change"
            changes={[
              { id: '13', label: 'Steps, Nov 13', before: '13,102', after: '14,208' },
              { id: '12', label: 'Steps, Nov 12', before: '9,316', after: '9,870' },
            ]}
          />
        </Card>
      </div>
    </Section>
  );
}
