import type { Category } from './metric.ts';
import { counted, logged, mean, peakOrMean, type MethodChoice } from './row.ts';

interface GroupRow {
  readonly displayName: string;
  readonly category: Category;
  readonly by: MethodChoice;
}

/**
 * Values from one night, weigh-in or cuff inflation, which must come from one device. `max` is not allowed for sleep stages: the longest
 * deep, light and REM sleep of several devices together exceed the night.
 */
export const groupRows: Readonly<Record<string, GroupRow>> = {
  wheelchair: { displayName: 'Wheelchair use', category: 'Activity', by: counted },
  activity_intensity: { displayName: 'Activity intensity', category: 'Activity', by: mean },
  stand: { displayName: 'Standing', category: 'Activity', by: peakOrMean },
  met: { displayName: 'MET', category: 'Activity', by: mean },
  gait: { displayName: 'Gait', category: 'Activity', by: mean },
  running_dynamics: { displayName: 'Running dynamics', category: 'Activity', by: mean },
  cycling_dynamics: { displayName: 'Cycling dynamics', category: 'Activity', by: mean },
  body_composition: { displayName: 'Body composition', category: 'Body Composition', by: mean },
  girth: { displayName: 'Waist and hip', category: 'Body Composition', by: mean },
  sleep_stages: { displayName: 'Sleep stages', category: 'Sleep', by: mean },
  sleep_vitals: { displayName: 'Sleep vitals', category: 'Sleep', by: mean },
  sleep_breathing: { displayName: 'Sleep breathing', category: 'Sleep', by: peakOrMean },
  sleep_temperature: { displayName: 'Sleep temperature', category: 'Sleep', by: mean },
  blood_pressure: { displayName: 'Blood pressure', category: 'Vitals', by: mean },
  glucose: { displayName: 'Glucose', category: 'Vitals', by: mean },
  cgm_summary: { displayName: 'CGM summary', category: 'Vitals', by: mean },
  vascular: { displayName: 'Vascular estimates', category: 'Vitals', by: mean },
  spirometry: { displayName: 'Spirometry', category: 'Vitals', by: peakOrMean },
  audio: { displayName: 'Sound exposure', category: 'Vitals', by: peakOrMean },
  macronutrients: { displayName: 'Macronutrients', category: 'Nutrition', by: logged },
  micronutrients: { displayName: 'Micronutrients', category: 'Nutrition', by: logged },
  alcohol_intake: { displayName: 'Alcohol', category: 'Nutrition', by: logged },
};
