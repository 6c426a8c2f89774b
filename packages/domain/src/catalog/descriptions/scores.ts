export const scoreDescriptions: Readonly<Record<string, string>> = {
  recovery_score:
    "Readiness of the body this morning, compared with the person's own normal. 50 is usual, higher is better.",
  strain_score: 'Cardiovascular load of the day on a logarithmic 0-100 scale. 0 is no load.',
  sleep_score: 'Quality and duration of sleep, compared with consensus thresholds. 75 is just adequate.',
  nutrition_score: 'Quality of the logged diet by nutrient density. 50 is the midpoint.',
  energy_reserve_score: 'Modeled energy left: charged by sleep, drained by waking hours, strain and stress.',
  stress_score:
    "Autonomic arousal at rest, compared with the person's own normal. 30 is usual, higher is more stress.",
};
