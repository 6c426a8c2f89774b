/** Metrics that are computed from samples of another metric: its lowest and highest minute of the day. */
const lowest: Record<string, string> = {
  heart_rate: 'heart_rate_min',
  blood_oxygen: 'blood_oxygen_min',
  blood_glucose: 'blood_glucose_min',
};
const highest: Record<string, string> = {
  heart_rate: 'heart_rate_max',
  blood_glucose: 'blood_glucose_max',
};

export interface Companion {
  id: string;
  takes: 'min' | 'max';
}

/** Other metrics that are computed from the samples of this one. */
export function companionsOf(metricId: string): Companion[] {
  const companions: Companion[] = [];
  if (lowest[metricId]) companions.push({ id: lowest[metricId], takes: 'min' });
  if (highest[metricId]) companions.push({ id: highest[metricId], takes: 'max' });
  return companions;
}
