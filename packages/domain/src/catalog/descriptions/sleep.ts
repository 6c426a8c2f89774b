export const sleepDescriptions: Readonly<Record<string, string>> = {
  asleep: 'Minutes asleep that count for the date, including naps. In a session, those of that session.',
  time_in_bed: 'Minutes between going to bed and getting up.',
  time_awake: 'Minutes in bed and not asleep: falling asleep, awakenings and lying in after waking.',
  light_sleep: 'Minutes in stages N1 and N2, as classified by the device.',
  deep_sleep: 'Minutes in slow-wave sleep (N3).',
  REM: 'Minutes in rapid-eye-movement sleep.',
  restorative_sleep: 'Deep plus REM minutes.',
  sleep_efficiency: 'Time asleep divided by time in bed for the main sleep, times 100.',
  sleep_latency: 'Minutes from trying to sleep to sleep onset in the main sleep.',
  wake_after_sleep_onset:
    'Minutes awake between first falling asleep and the final awakening in the main sleep.',
  latency_to_arising: 'Minutes in bed after the final awakening.',
  awakenings: 'Awakenings longer than five minutes in the main sleep.',
  sleep_cycles: 'Completed non-REM to REM cycles in the main sleep.',
  sleep_restlessness: 'Share of the main sleep with movement.',
  nap_time: 'Minutes asleep in sessions that are not the main sleep.',
  nap_count: 'Number of sleep sessions of the date that are not the main sleep.',
  bedtime:
    'Start of the main sleep in minutes from local midnight of the wake-up date. Negative before midnight.',
  wake_time: 'End of the main sleep in minutes from local midnight.',
  sleep_midpoint: 'Middle of the main sleep in minutes from local midnight. Shows shifts in sleep timing.',
  sleep_need:
    'Median of the last 60 nights, limited to the range recommended for the age (7 to 9 hours for most adults). Middle of that range with fewer than 14 nights.',
  sleep_debt:
    'Sum of the shortfalls against sleep_need over the last 14 days. Nights with a surplus and days without a night count as zero. Requires 10 nights.',
  sleep_regularity_index:
    'How often the person is in the same state, asleep or awake, 24 hours apart over the last 7 days. 100 means identical days.',
  social_jetlag:
    'Absolute difference between the mean sleep midpoints of weekends and other days over 28 days. A night belongs to the day it ends on. Requires 3 weekend nights and 5 others.',
  sleep_heart_rate: 'Mean heart rate while asleep.',
  sleep_heart_rate_min: 'Lowest five-minute heart rate while asleep.',
  sleep_heart_rate_variability: 'Mean rMSSD while asleep. Never contains SDNN.',
  heart_rate_dip:
    'How far the mean heart rate in main sleep is below the awake mean of the same local day, in percent. Requires 2 hours asleep and 4 hours awake with readings.',
  sleep_respiratory_rate: 'Mean breathing rate while asleep.',
  sleep_blood_oxygen: 'Mean oxygen saturation while asleep.',
  sleep_blood_oxygen_min: 'Lowest smoothed oxygen saturation while asleep.',
  oxygen_desaturation_index: 'Drops of 3% or more in oxygen saturation per hour asleep.',
  breathing_disturbances: 'Breathing interruptions per hour asleep, as counted by the device.',
  apnea_hypopnea_index: 'Apneas and hypopneas per hour asleep, from a device that scores them.',
  snoring_time: 'Minutes of detected snoring.',
  sleep_body_temperature: 'Mean core-equivalent temperature while asleep.',
  sleep_skin_temperature: 'Mean skin temperature while asleep, at the finger or an unspecified site.',
  sleep_wrist_temperature: 'Mean wrist skin temperature while asleep.',
  sleep_temperature_deviation:
    "Temperature during sleep minus the person's baseline, as reported by the device.",
  device_sleep_score: 'Vendor sleep score, unchanged. Not used by sleep_score.',
};
