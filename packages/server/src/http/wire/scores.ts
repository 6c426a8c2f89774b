import type { ScoreExplanationWire, ScoreWire } from '@tributary/contract';
import { bandOf, findMetric, formatDay, scoreScales } from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { CurrentScore } from '../../services/scores/read-current-scores.ts';
import type { ScoreExplanation } from '../../services/scores/read-score-explanation.ts';

/** Maps internal names to wire names. */
export function toScoreWire(score: CurrentScore, includeSources: boolean): ScoreWire {
  return {
    type: score.type,
    value: score.value,
    computed_at: timestamp(score.publishedMs),
    factors: score.factors,
    date: formatDay(score.day),
    recipe_version: score.version,
    confidence: score.confidence,
    ...(includeSources ? { source: null } : {}),
  };
}

export function toScoreExplanationWire(explanation: ScoreExplanation): ScoreExplanationWire {
  const { type, shown, scored, devices } = explanation;
  const { neutral, higherIs, minimum } = scoreScales[type];
  const value = shown?.value ?? scored?.value ?? null;
  return {
    type,
    date: formatDay(explanation.day),
    timezone: explanation.timezone,
    name: findMetric(type)!.displayName,
    state: explanation.state,
    value: shown?.value ?? null,
    computed_at: shown && timestamp(shown.publishedMs),
    current_value: scored?.value ?? null,
    up_to_date: explanation.state !== 'pending',
    confidence: explanation.confidence,
    why: explanation.why,
    recipe: {
      version: explanation.version,
      neutral,
      higher_is: higherIs,
      band: value === null ? null : bandOf(type, value),
      minimum,
    },
    factors: shown?.factors ?? [],
    ingredients: (scored?.ingredients ?? []).map(({ subScore, assumed = false, ...ingredient }) => ({
      ...ingredient,
      sub_score: subScore,
      assumed,
    })),
    baselines: scored?.baselines ?? [],
    figures: scored?.figures ?? {},
    inputs: explanation.inputs.map(({ metricId, value: reading, deviceNo }) => ({
      metric: metricId,
      value: reading,
      unit: findMetric(metricId)!.unit,
      source: toSource(devices[deviceNo]),
    })),
    history: explanation.history.map(({ metricId, readings }) => ({
      metric: metricId,
      unit: findMetric(metricId)!.unit,
      readings: readings.map(({ day, value: reading }) => ({ date: formatDay(day), value: reading })),
    })),
    other: explanation.other,
    missing: [...explanation.missing],
  };
}

function toSource(
  device: ScoreExplanation['devices'][number] | undefined,
): ScoreExplanationWire['inputs'][number]['source'] {
  return device ? { provider: device.provider, device_id: formatId('dev', device.id) } : null;
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
