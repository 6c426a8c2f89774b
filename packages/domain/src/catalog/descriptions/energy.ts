export const energyDescriptions: Readonly<Record<string, string>> = {
  active_calories: 'Energy spent on movement, above rest. In a workout, that of the session.',
  resting_energy: 'Energy the body spends at rest over the day.',
  total_energy:
    "Active plus resting energy, after each is consolidated. The source's total is used only when one of them is missing.",
  basal_metabolic_rate: 'Energy spent at rest per day, usually estimated from body size.',
  exercise_energy: "Active energy of the day's workouts after overlaps are merged.",
  energy_balance: 'Dietary energy minus total energy spent. Null unless both exist.',
  device_energy_level: 'Vendor energy level, unchanged. Not used by any score.',
  energy_reserve_high: 'The energy_reserve_score right after the main sleep, its highest value of the day.',
  energy_reserve_low: 'Lowest energy_reserve_score of the day so far.',
};
