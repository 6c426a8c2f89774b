import type { CatalogMetricWire, DailyCandidateWire, ExplainedDeviceWire } from '@tributary/contract';
import { Check, X } from 'lucide-react';
import { Time } from '../../components/overlays/tip.tsx';
import { plural } from '../../words/time.ts';
import { useProviderNames } from '../user/devices/device-state.tsx';
import { usePerson } from '../user/person.ts';
import { formatValue, valueText } from '../user/health/value-text.ts';
import { BatchId } from './batch-id.tsx';

const originLabels = {
  reported_total: 'device total',
  samples: 'from samples',
  sessions: 'from sessions',
} as const;

/** Every candidate by rank, and whether it was used. */
export function Candidates({
  candidates,
  entry,
}: {
  candidates: readonly DailyCandidateWire[];
  entry: CatalogMetricWire | undefined;
}) {
  return (
    <ol className="candidates">
      {candidates.map((candidate) => (
        <Candidate key={candidate.device.id} candidate={candidate} entry={entry} />
      ))}
    </ol>
  );
}

function Candidate({
  candidate,
  entry,
}: {
  candidate: DailyCandidateWire;
  entry: CatalogMetricWire | undefined;
}) {
  const { device, position, value, unit, outcome, because, batches, samples } = candidate;
  const { original_value, original_unit, made_of } = candidate;
  const displayValue = valueText(value, unit, entry);
  const [newest] = batches;
  return (
    <li className={outcome === 'lost' ? 'lost' : undefined}>
      <div className="candidate-head">
        <DeviceName device={device} rank={position} />
        <b>
          {displayValue.text} {displayValue.unit && <small>{displayValue.unit}</small>}
        </b>
      </div>
      <p>
        {outcome === 'lost' ? <X size={14} aria-hidden /> : <Check size={14} aria-hidden />}
        {because}
      </p>
      <p className="candidate-trace">
        <span>
          {samples ? plural(samples.count, 'sample') : originLabels[made_of]}
          {original_unit !== unit &&
            `, ${formatValue(original_value, original_unit)} → ${formatValue(value, unit, entry)}`}
        </span>
        {newest && (
          <>
            <BatchId id={newest.batch_id} />
            {newest.received_at && (
              <span>
                received <Time at={newest.received_at} end />
              </span>
            )}
          </>
        )}
        {batches.length > 1 && (
          <span>and {plural(batches.length - 1, 'earlier batch', 'earlier batches')}</span>
        )}
      </p>
    </li>
  );
}

export function DeviceName({ device, rank }: { device: ExplainedDeviceWire; rank: number | null }) {
  const { whose } = usePerson();
  const nameOf = useProviderNames(whose.environment);
  return (
    <span>
      <b>{device.name ?? device.model ?? `${nameOf(device.provider)} ${device.kind}`}</b>{' '}
      <small>
        {nameOf(device.provider)}
        {rank === null ? ', excluded' : `, rank ${rank}`}
      </small>
    </span>
  );
}
