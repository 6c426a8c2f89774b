/** What an organization may read of a person who accepts, in words of every day; one line for each category of the catalog. */
export const sharedData: readonly string[] = [
  'Activity: steps, distance, workouts and time on the move',
  'Sleep: when and how long you sleep, and how deeply',
  'Heart and vitals: heart rate, blood pressure, oxygen, temperature, blood sugar',
  'Body: weight, height, body fat and other measures',
  'Energy: calories that you burn',
  'Nutrition: what you eat and drink, if you write it down',
  'Scores: recovery, strain, stress and others, worked out from all of this',
];
