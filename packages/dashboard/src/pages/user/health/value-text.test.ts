import { expect, test } from 'vitest';
import { inWords, describeMissing, formatValue, valueText, words } from './value-text.ts';

test('formats values for people', () => {
  expect(valueText(14_208, 'count', { id: 'steps', precision: 0 })).toEqual({ text: '14,208', unit: '' });
  expect(valueText(71.256, 'kg', { id: 'weight', precision: 2 })).toEqual({ text: '71.26', unit: 'kg' });
  expect(valueText(366, 'min', { id: 'asleep', precision: 0 })).toEqual({ text: '6h 06m', unit: '' });
  expect(formatValue(64, 'bpm')).toBe('64 bpm');
  expect(formatValue(52.4, 'score')).toBe('52');
});

test('formats levels as words', () => {
  const level = (value: number, name: string) => ({ value, name, healthkit: null, health_connect: null });
  const flow = { id: 'menstrual_flow', precision: 0, levels: [level(0, 'none'), level(1, 'light')] };
  expect(valueText(1, 'code', flow)).toEqual({ text: 'light', unit: '' });
  expect(valueText(0, 'code', flow).text).toBe('none');
});

test('formats bedtime as a clock time, also before midnight', () => {
  const bedtime = { id: 'bedtime', precision: 0 };
  expect(valueText(-69, 'min', bedtime).text).toBe('22:51');
  expect(valueText(20, 'min', bedtime).text).toBe('00:20');
});

test('formats ids and reasons as words', () => {
  expect(words('hrv_today')).toBe('HRV today');
  expect(inWords('hrv_trend')).toBe('HRV trend');
  expect(words('resting_heart_rate')).toBe('Resting heart rate');
  expect(describeMissing('no_device')).toBe('No device was connected');
  expect(describeMissing(null)).toBe('No data for this day');
});
