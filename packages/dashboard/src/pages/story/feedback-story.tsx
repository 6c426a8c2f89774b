import { ApiFailure } from '../../api/failure.ts';
import { Button } from '../../components/button.tsx';
import { Empty, ErrorBox, Notice, Skeleton } from '../../components/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Diff, Timeline } from '../../components/timeline.tsx';
import { Section } from './section.tsx';

const failure = new ApiFailure({
  status: 503,
  code: 'unavailable',
  message: 'The database does not answer. Nothing was changed; try again in a minute.',
  requestId: 'req_01jcqz4w5ve9prdk6r9f4vg1yx',
});
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export function FeedbackStory() {
  return (
    <Section title="What happened">
      <Notice tone="warn" title="Garmin stopped 12 days ago." action={<Button small>Send a new link</Button>}>
        The person withdrew the authorization. Steps and workouts come from Apple Watch since then.
      </Notice>
      <Notice title="Rebuilding.">30 days are worked out anew; values may change until then.</Notice>
      <Notice tone="ok" title="Delivered again.">
        The endpoint answers since 14:02.
      </Notice>
      <ErrorBox error={failure} title="The users could not be loaded." onRetry={() => {}} />
      <Card padded={false}>
        <Empty
          title="Everybody whose data you read will be listed here."
          request={{ method: 'POST', path: '/v1/users', body: { reference_id: 'customer-1042' } }}
          action={<Button>Create a user</Button>}
          waiting="Waiting for the first user"
        />
      </Card>
      <Skeleton heights={[32, 120]} />
      <div className="two">
        <Card title="Timeline">
          <Timeline
            label="What happened to the endpoint"
            happenings={[
              { id: '3', at: ago(3), title: 'Answered 200', detail: '318 deliveries caught up', tone: 'ok' },
              {
                id: '2',
                at: ago(48),
                title: 'Answered 502',
                detail: 'Attempt 6, next try in 30 min',
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
              { id: '13', label: 'Steps, 13 Nov', before: '13,102', after: '14,208' },
              { id: '12', label: 'Steps, 12 Nov', before: '9,316', after: '9,870' },
            ]}
          />
        </Card>
      </div>
    </Section>
  );
}
