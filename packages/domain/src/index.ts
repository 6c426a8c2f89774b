export { findMetric, metricOf, metrics } from './catalog/catalog.ts';
export {
  categoryOrder,
  consolidationKeyOf,
  consolidationKeys,
  findConsolidation,
  groups,
  type Consolidation,
} from './catalog/consolidation.ts';
export {
  methods,
  type Aggregation,
  type Category,
  type Imperial,
  type Level,
  type Method,
  type Metric,
  type MetricKind,
  type Origin,
} from './catalog/metric.ts';
export { sourcesOf, uploadOnlyMetrics, type MetricSource } from './metric-sources.ts';
export { isOptIn, scopeOf } from './catalog/scope.ts';
export { measuredAtOnceWith, measurementOf } from './catalog/measurements.ts';
export {
  canMerge,
  consolidateDay,
  isHealthStore,
  unionOf,
  type Candidate,
  type ConsolidatedDay,
} from './consolidate/consolidate-day.ts';
export { chooseDevice } from './consolidate/choose-device.ts';
export { rankCandidates, type Consolidated } from './consolidate/rank-candidates.ts';
export {
  effectiveSettings,
  type EffectiveSettings,
  type ProviderSwitch,
} from './consolidate/effective-settings.ts';
export { forbiddenMethodsOf, providersNamedIn, unknownKeysOf } from './consolidate/patch-faults.ts';
export type { Interval } from './consolidate/intervals.ts';
export {
  changeSettings,
  isEnabled,
  isEnabledFor,
  mergesAnything,
  methodFor,
  type ConsolidationSettings,
  type MetricSettings,
  type SettingsPatch,
} from './consolidate/settings.ts';
export {
  mergeIntervals,
  type MergeCandidate,
  type Merged,
  type MergedInterval,
} from './consolidate/merge-intervals.ts';
export { clockTime } from './clock-time.ts';
export {
  addDays,
  dayEndMs,
  dayOf,
  daysIn,
  dayStartMs,
  formatDay,
  isDayOrAll,
  minutesFromMidnight,
  parseDay,
  timezoneAt,
  timezoneOfDay,
  todayOf,
  type DayNumber,
  type DayRange,
} from './days.ts';
export { changeTimezone, type EffectiveFrom } from './change-timezone.ts';
export { dayMs, hourMs, minuteMs } from './durations.ts';
export { cloudDevice } from './devices/cloud-device.ts';
export type { DeviceFacts } from './devices/device-facts.ts';
export { compareDevices, rankForSession, rankOf, type Ranked } from './devices/rank.ts';
export type { ShownSession } from './sessions/cluster.ts';
export { clusterSleep, mainOf, type SleepSession } from './sessions/cluster-sleep.ts';
export { clusterWorkouts, type WorkoutSession } from './sessions/cluster-workouts.ts';
export { bucketsOf, type HeartRateBucket } from './sessions/heart-rate-buckets.ts';
export { summarizeTrace, type HeartRateTrace, type TraceSummary } from './sessions/heart-rate-trace.ts';
export { zonesOf, type HeartRateZone } from './sessions/heart-rate-zones.ts';
export type { StageSpan } from './sessions/sleep-stages.ts';
export {
  distanceMetricOf,
  familyOf,
  sportTypeOf,
  sportTypes,
  type SportFamily,
  type SportType,
} from './sessions/sport-types.ts';
export {
  summarizeSleep,
  type ReportedMinutes,
  type ReportedSleep,
  type SleepSummary,
} from './sessions/summarize-sleep.ts';
export {
  convertFromCatalogUnit,
  convertToCatalogUnit,
  roundTo,
  toImperial,
  unitCodeOf,
  unitOfCode,
} from './units.ts';
export { isStorableText } from './text.ts';
export { isTimestamp } from './timestamp.ts';
export { isTimezone } from './timezone.ts';
export { parseTimezones, splitTimezones, type Timezones, type ZonePeriod } from './timezones.ts';
export { didYouMean, suggest } from './suggest.ts';
export {
  countValues,
  readBatch,
  type BatchBody,
  type BatchFacts,
  type ReadBatch,
} from './batch/read-batch.ts';
export { countDays } from './batch/count-days.ts';
export type { ChunkReadings } from './batch/readings.ts';
export { Tombstones } from './batch/tombstones.ts';
export type { SleepReading, SleepStage } from './batch/read-sleep.ts';
export type { WorkoutReading } from './batch/read-workout.ts';
export {
  decodeMonth,
  emptyMonth,
  encodeMonth,
  printMonth,
  sameValue,
  visitMonth,
  type CanonicalMonth,
  type CanonicalValue,
} from './day/canonical-month.ts';
export {
  emptyDeviceDay,
  isEmptyDeviceDay,
  showsUse,
  metricsFedBy,
  metricsOfDay,
  readingOfDay,
  reportTotal,
  setPartial,
  valueOfDay,
  type DayReading,
  type DeviceDay,
} from './day/device-day.ts';
export {
  countsOfNothing,
  coverageOf,
  isUnworn,
  recordedSleep,
  shownCoverage,
  showsWear,
  type DaySpan,
} from './day/coverage.ts';
export { derivedMetrics, inputsOf, ruleOf, withDerived } from './day/derive.ts';
export { decodeDeviceDay, encodeDeviceDay } from './day/device-day-codec.ts';
export { firstDayOf, placeInMonth } from './day/month.ts';
export { monthSlices, slicePrinted, type MonthSlice } from './day/month-slices.ts';
export { originalOf, type Original } from './day/original.ts';
export { chunkMs, chunkOf, mergeChunks, noCounts, type Chunk, type MergeCounts } from './samples/chunk.ts';
export { intervalsOfChunk } from './samples/intervals-of-chunk.ts';
export { reachOf } from './samples/readings-within.ts';
export { decodeChunk, encodeChunk } from './samples/chunk-codec.ts';
export { fromMicros, toMicros } from './samples/micros.ts';
export { uuidBytes, uuidText, type Owner } from './samples/owner.ts';
export { addVersion, deleteRecord, type RecordState, type Retire } from './samples/record.ts';
export { bucketPoints, joinPoints, pointsOfChunk, pointsOfMerged, type Points } from './samples/points.ts';
export { valueSpansOf, type ValueSpan } from './samples/value-spans.ts';
export { gatherFacts, type DayFacts } from './scores/inputs/day-facts.ts';
export { decodeFacts, encodeFacts } from './scores/inputs/day-facts-codec.ts';
export { explainScore, type ScoreAccount } from './scores/publish/explain-score.ts';
export { PersonDays } from './scores/inputs/person-days.ts';
export { publish, shownScore, type PublishedScore, type Publishing } from './scores/publish/publishing.ts';
export { valuesWithScores } from './scores/daily/daily-values.ts';
export { glucoseDays } from './scores/daily/glucose-management.ts';
export { RecipeComparison, type RecipeDifference } from './scores/compare-recipes.ts';
export { dailyOfScores, scoreDay, scoreMetrics, type ScoredDay } from './scores/score-day.ts';
export { epochNormDays } from './scores/inputs/epoch-norms.ts';
export type { EpochNorms } from './scores/inputs/epoch-norms-type.ts';
export { continuousMetrics, publishDelayUntilMs } from './scores/publish/publish-delay.ts';
export { closesAtMs } from './scores/inputs/score-inputs.ts';
export { normDays, scoreHistories, scoreInputs, scoreSamples } from './scores/score-metrics.ts';
export {
  currentRecipe,
  recipeVersions,
  scoreTypes,
  type Confidence,
  type Factor,
  type RecipeVersion,
  type Score,
  type ScoreType,
  type VersionedScore,
} from './scores/score.ts';
export { bandOf, scoreScales } from './scores/publish/score-scales.ts';
export { sentenceOf } from './scores/publish/score-sentence.ts';
export { decodeStress, encodeStress } from './scores/inputs/stress-codec.ts';
export { platformOf, type Platform } from './sandbox/person/platform.ts';
export { pickArchetype, profileOf, seedOf } from './sandbox/person/person.ts';
export { sandboxBatches } from './sandbox/sandbox-batches.ts';
export { summarize, type Partial } from './samples/partial-summary.ts';
export {
  canonicalSleepValues,
  dayOfSleep,
  canonicalSleepMetrics,
  sleepDayMetrics,
  valuesOfShownSleep,
  type ShownSleep,
  type SummarizedSleep,
} from './sessions/sleep-day.ts';
export {
  canonicalWorkoutValues,
  dayOfWorkouts,
  canonicalWorkoutMetrics,
  distancesOfShownWorkouts,
  workoutDayMetrics,
  type MeasuredWorkout,
  type ShownWorkout,
} from './sessions/workout-day.ts';
export { figuresOf, type WorkoutFigures } from './sessions/workout-figures.ts';
export { maxHeartRateOn, observedDays, type HeartRateFacts } from './people/max-heart-rate.ts';
export { explainDay, explainUnused, type DayChoice } from './explain/explain-day.ts';
export type { DayCandidate, DayDecision, Verdict } from './explain/verdict.ts';
export { explainMainSleep, type MainVerdict } from './explain/explain-main-sleep.ts';
export { exclusionOf, explainMethod, type MethodChoice } from './explain/explain-method.ts';
export {
  explainExcluded,
  explainMerged,
  summarizeSession,
  type SessionVerdict,
  type LabeledSession,
} from './explain/explain-session.ts';
export {
  sampledMetricBehind,
  sampledMetricsOf,
  samplesBetween,
  type DaySamples,
} from './explain/samples-behind.ts';
export { summarizeDay } from './explain/summarize-day.ts';
