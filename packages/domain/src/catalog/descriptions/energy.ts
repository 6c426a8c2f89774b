export const energyDescriptions: Readonly<Record<string, string>> = {
  active_calories: 'Energy spent above rest by moving; in a workout, that of the session.',
  resting_energy: 'Energy the body spends to stay alive over the day.',
  total_energy:
    'Active plus resting energy after each is consolidated; the source total only when one of them is missing.',
  basal_metabolic_rate: 'Resting power of the body scaled to a day, usually modelled from body size.',
  exercise_energy: "Active energy of the day's workouts after overlaps are merged.",
  energy_balance: 'Dietary energy minus total energy spent; null unless both exist.',
  device_energy_level: 'Vendor-reported energy gauge passed through untouched; not used by any score here.',
  energy_reserve_high: "Reserve right after the main sleep, the day's top of energy_reserve_score.",
  energy_reserve_low: 'Lowest reserve reached so far that day.',
};
