/** The six scores. */
export const scoreTypes = [
  'recovery_score',
  'strain_score',
  'sleep_score',
  'stress_score',
  'nutrition_score',
  'energy_reserve_score',
] as const;
export type ScoreType = (typeof scoreTypes)[number];

/** A recipe that gives other numbers for the same readings is a new version. */
export const recipeVersions: Readonly<Record<ScoreType, number>> = {
  recovery_score: 1,
  strain_score: 1,
  sleep_score: 1,
  stress_score: 1,
  nutrition_score: 1,
  energy_reserve_score: 1,
};

/** What moved a score, and by how much. The direction is that of the number, whether or not that is good for the person. */
export interface Factor {
  readonly name: string;
  /** A multiple of 0.1. */
  readonly contribution: number;
  readonly direction: 'positive' | 'negative' | 'neutral';
}

/** From 0 to 100, a multiple of 0.1. The factors add up to it exactly. */
export interface Score {
  readonly value: number;
  readonly factors: Factor[];
}

/** One ingredient of a score, for explanations. */
export interface Ingredient {
  readonly name: string;
  /** As in the recipe. Null for penalties, loads and entries of a ledger. */
  readonly weight: number | null;
  /** The weight after rescaling over the components with data. */
  readonly share: number | null;
  /** From 0 to 100. */
  readonly subScore: number | null;
  /** Not rounded, and before the total is limited to 0 to 100. */
  readonly contribution: number;
}

/** The person's baseline as a recipe used it. */
export interface NamedBaseline {
  readonly input: string;
  /** The transformation of the readings before center and sd were computed. */
  readonly transform: 'ln' | 'none';
  readonly centre: number;
  readonly sd: number;
  readonly readings: number;
}

/** A score with everything that explains it. */
export interface Scored extends Score {
  readonly type: ScoreType;
  readonly version: number;
  /** The score when nothing moves it. */
  readonly neutral: number;
  /** In recipe order. Only ingredients with data. */
  readonly ingredients: Ingredient[];
  readonly baselines: NamedBaseline[];
  /** Additional numbers, such as the training load behind a strain. */
  readonly figures: Record<string, number>;
}

/** As in the profile. Null if it is not set. */
export type Sex = 'female' | 'male' | 'other' | null;
