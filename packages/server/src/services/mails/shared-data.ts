/** The data an organization can read after a person accepts, in everyday words. One entry per category of the catalog. */
export const sharedData: readonly { category: string; what: string }[] = [
  { category: 'Activity', what: 'steps, distance, workouts and active time' },
  { category: 'Sleep', what: 'when and how long you sleep, and how deeply' },
  {
    category: 'Heart and vitals',
    what: 'heart rate, blood pressure, blood oxygen, temperature and blood sugar',
  },
  { category: 'Body', what: 'weight, height, body fat and other measures' },
  { category: 'Energy', what: 'calories you burn' },
  { category: 'Nutrition', what: 'what you eat and drink, if you record it' },
  {
    category: 'Reproductive health',
    what: 'your cycle, pregnancy and contraception, but only if you turn this on in an app or when you connect a device',
  },
  { category: 'Scores', what: 'recovery, strain, stress and others, calculated from all of this data' },
];

/** The same entries as list items. */
export const sharedDataLines: readonly string[] = sharedData.map(
  ({ category, what }) => `${category}: ${what}`,
);
