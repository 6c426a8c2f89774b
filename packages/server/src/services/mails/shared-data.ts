/** What an organization may read of a person who accepts, in words of every day; one for each category of the catalog. */
export const sharedData: readonly { category: string; what: string }[] = [
  { category: 'Activity', what: 'steps, distance, workouts and time on the move' },
  { category: 'Sleep', what: 'when and how long you sleep, and how deeply' },
  { category: 'Heart and vitals', what: 'heart rate, blood pressure, oxygen, temperature, blood sugar' },
  { category: 'Body', what: 'weight, height, body fat and other measures' },
  { category: 'Energy', what: 'calories that you burn' },
  { category: 'Nutrition', what: 'what you eat and drink, if you write it down' },
  { category: 'Scores', what: 'recovery, strain, stress and others, worked out from all of this' },
];

/** The same as lines of a list. */
export const sharedDataLines: readonly string[] = sharedData.map(
  ({ category, what }) => `${category}: ${what}`,
);
