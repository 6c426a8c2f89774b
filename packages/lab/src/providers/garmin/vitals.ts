import type { Day, Sleep } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import { bodyBatteryOf, stressOf } from './stress.ts';
import { byOffset, seconds, summary } from './summary.ts';
import type { Row } from './summary.ts';

/** Stress and body battery of a full day. */
export function stressDetails(person: Person, day: Day): Row {
  return {
    ...summary(person, day, day.start, 'stressDetails'),
    durationInSeconds: seconds(day.end - day.start),
    timeOffsetStressLevelValues: byOffset(stressOf(day), day.start),
    timeOffsetBodyBatteryValues: byOffset(bodyBatteryOf(day), day.start),
  };
}

/** Blood oxygen through the night, as measured by the watch. */
export function pulseOx(person: Person, day: Day, night: Sleep): Row {
  return {
    ...summary(person, day, night.start, 'pulseox', night.key),
    durationInSeconds: seconds(night.end - night.start),
    timeOffsetSpo2Values: byOffset(hourly(night.start, night.end, night.bloodOxygenPercent), night.start),
    onDemand: false,
  };
}

/** Respiration through a full day. */
export function respiration(person: Person, day: Day): Row {
  return {
    ...summary(person, day, day.start, 'allDayRespiration'),
    durationInSeconds: seconds(day.end - day.start),
    timeOffsetEpochToBreaths: byOffset(hourly(day.start, day.end, day.respiratoryRate), day.start),
  };
}

/** The deviation from the usual skin temperature. */
export function skinTemperature(person: Person, day: Day, night: Sleep): Row {
  return {
    ...summary(person, day, night.start, 'skinTemp', night.key),
    durationInSeconds: seconds(night.end - night.start),
    avgDeviationCelsius: day.temperatureDeviationC,
  };
}

/** Fitness once a day. Of the common fields, only the date is present. */
export function userMetrics(person: Person, day: Day): Row {
  const { summaryId, calendarDate } = summary(person, day, day.start, 'userMetrics');
  const age = Number(day.date.slice(0, 4)) - Number(person.birthDate.slice(0, 4));
  return {
    summaryId,
    calendarDate,
    vo2Max: day.vo2Max,
    fitnessAge: Math.max(18, Math.round(age + 45 - day.vo2Max)),
  };
}

/** A weight measurement from a scale. */
export function bodyComposition(person: Person, day: Day, body: NonNullable<Day['body']>): Row {
  const { summaryId, startTimeOffsetInSeconds } = summary(person, day, body.at, 'bodyComps');
  return {
    summaryId,
    measurementTimeInSeconds: seconds(body.at),
    measurementTimeOffsetInSeconds: startTimeOffsetInSeconds,
    weightInGrams: Math.round(body.weightKg * 1000),
    muscleMassInGrams: Math.round(body.muscleKg * 1000),
    boneMassInGrams: Math.round(body.boneKg * 1000),
    bodyWaterInPercent: tenths((100 * body.waterKg) / body.weightKg),
    bodyFatInPercent: body.fatPercent,
    bodyMassIndex: tenths(body.weightKg / person.heightM ** 2),
  };
}

/** A blood pressure measurement from a cuff. */
export function bloodPressure(person: Person, day: Day, measurement: NonNullable<Day['bloodPressure']>): Row {
  const { summaryId, startTimeOffsetInSeconds } = summary(person, day, measurement.at, 'bloodPressures');
  return {
    summaryId,
    measurementTimeInSeconds: seconds(measurement.at),
    measurementTimeOffsetInSeconds: startTimeOffsetInSeconds,
    systolic: measurement.systolic,
    diastolic: measurement.diastolic,
    pulse: measurement.pulse,
  };
}

function hourly(start: number, end: number, value: number) {
  const samples = [];
  for (let at = start; at < end; at += 3_600_000) samples.push({ at, value });
  return samples;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
