import { useQuery } from '@tanstack/react-query';
import type {
  OverlappingSessionWire,
  SleepExplanationWire,
  WorkoutExplanationWire,
} from '@tributary/contract';
import { Check, X } from 'lucide-react';
import { sleepExplanationQuery, workoutExplanationQuery } from '../../api/explain.ts';
import { workoutQuery } from '../../api/health.ts';
import { Time } from '../../components/overlays/tip.tsx';
import { duration, format, weekday } from '../../words/time.ts';
import { usePerson } from '../user/person.ts';
import { words } from '../user/health/value-text.ts';
import { BatchId } from './batch-id.tsx';
import { DeviceName } from './candidates.tsx';
import { RebuildNotice, WhyFoot, WhySection, WhyValue, WhyWaiting } from './why-parts.tsx';
import { WorkoutFacts } from './workout-facts.tsx';

type Explanation = SleepExplanationWire | WorkoutExplanationWire;

export function SleepWhy({ id }: { id: string }) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery(sleepExplanationQuery(whose, id));
  if (!data) return <WhyWaiting error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <SessionHead explanation={data} name={data.is_main_sleep ? 'Main sleep' : 'Nap'} />
      <div className="why-reason">
        <p>{data.summary}</p>
        <p className="quiet">{data.main_because}</p>
      </div>
      <SessionSources explanation={data} excluded={data.excluded} />
      <WhyFoot request={{ method: 'GET', path: `/v1/users/${user.id}/sleep/${id}/explain` }} />
    </>
  );
}

export function WorkoutWhy({ id }: { id: string }) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery(workoutExplanationQuery(whose, id));
  const { data: workout } = useQuery(workoutQuery(whose, id));
  if (!data) return <WhyWaiting error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <SessionHead explanation={data} name={workout ? words(workout.type) : 'Workout'} />
      {workout && <WorkoutFacts workout={workout} />}
      <div className="why-reason">
        <p>{data.summary}</p>
      </div>
      <SessionSources explanation={data} excluded={[]} />
      <WhyFoot request={{ method: 'GET', path: `/v1/users/${user.id}/workouts/${id}/explain` }} />
    </>
  );
}

function SessionHead({ explanation, name }: { explanation: Explanation; name: string }) {
  const { start, end, timezone, date, pending_rebuild } = explanation;
  const minutes = (Date.parse(end) - Date.parse(start)) / 60_000;
  return (
    <>
      <WhyValue
        value={duration(minutes)}
        about={`${name}, ${weekday(date)}, ${clockOf(start, timezone)} – ${clockOf(end, timezone)}`}
      />
      {pending_rebuild && <RebuildNotice />}
    </>
  );
}

/** Sources that reported the same session, and which one is used. */
function SessionSources({
  explanation: { kept: usedSource, merged, timezone },
  excluded,
}: {
  explanation: Explanation;
  excluded: readonly OverlappingSessionWire[];
}) {
  return (
    <WhySection title="Sources">
      <ol className="candidates">
        <li>
          <div className="candidate-head">
            <DeviceName device={usedSource.device} rank={usedSource.rank} />
            <b>
              {clockOf(usedSource.start, timezone)} – {clockOf(usedSource.end, timezone)}
            </b>
          </div>
          <p>
            <Check size={14} aria-hidden />
            Used
          </p>
          <Trace session={usedSource} />
        </li>
        {[...merged, ...excluded].map((other) => (
          <li key={`${other.device.id} ${other.source_id}`} className="lost">
            <div className="candidate-head">
              <DeviceName device={other.device} rank={other.outcome === 'excluded' ? null : other.rank} />
              <b>
                {clockOf(other.start, timezone)} – {clockOf(other.end, timezone)}
              </b>
            </div>
            <p>
              <X size={14} aria-hidden />
              {other.because}
            </p>
            <Trace session={other} />
          </li>
        ))}
      </ol>
    </WhySection>
  );
}

function Trace({ session }: { session: { batch_id: string; received_at: string | null } }) {
  return (
    <p className="candidate-trace">
      <BatchId id={session.batch_id} />
      {session.received_at && (
        <span>
          received <Time at={session.received_at} end />
        </span>
      )}
    </p>
  );
}

function clockOf(at: string, timeZone: string): string {
  return format(new Date(at), { hour: '2-digit', minute: '2-digit', timeZone });
}
