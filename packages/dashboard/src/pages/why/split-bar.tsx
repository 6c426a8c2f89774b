import type { DailyExplanationWire } from '@tributary/contract';
import { formatValue, words } from '../user/health/value-text.ts';

export interface Part {
  id: string;
  label: string;
  value: number;
}

/** Each device's contribution to the value. Empty for a single device, or if the parts do not add up to the value. */
export function partsOf(
  { method, candidates, merged, merged_truncated }: DailyExplanationWire,
  nameOf: (provider: string) => string,
): Part[] {
  const labelOf = (deviceId: string) => {
    const device = candidates.find((one) => one.device.id === deviceId)?.device;
    return device ? `${nameOf(device.provider)} ${words(device.kind).toLowerCase()}` : deviceId;
  };
  if (method?.applied === 'merge' && merged && !merged_truncated) {
    const sums = new Map<string, number>();
    for (const { device_id, value } of merged) sums.set(device_id, (sums.get(device_id) ?? 0) + value);
    return [...sums]
      .map(([id, value]) => ({ id, label: labelOf(id), value }))
      .filter(({ value }) => value > 0);
  }
  if (method?.applied !== 'sum' && method?.applied !== 'avg') return [];
  return candidates
    .filter(({ outcome }) => outcome !== 'lost')
    .map(({ device, value }) => ({
      id: device.id,
      label: labelOf(device.id),
      value:
        method.applied === 'avg'
          ? value / Math.max(1, candidates.filter((one) => one.outcome !== 'lost').length)
          : value,
    }));
}

/** The contributions side by side. */
export function SplitBar({ parts, unit }: { parts: readonly Part[]; unit: string }) {
  if (parts.length < 2) return null;
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const labels = parts.map(({ label, value }) => `${formatValue(value, unit)} ${label}`);
  return (
    <div>
      <div className="split" role="img" aria-label={`Contributions: ${labels.join(', ')}`}>
        {parts.map(({ id, value }) => (
          <span key={id} style={{ width: `${(value / (total || 1)) * 100}%` }} />
        ))}
      </div>
      <ul className="split-labels" aria-hidden="true">
        {parts.map(({ id, label, value }) => (
          <li key={id}>
            <span className="swatch" />
            {formatValue(value, unit)} {label}
          </li>
        ))}
      </ul>
    </div>
  );
}
