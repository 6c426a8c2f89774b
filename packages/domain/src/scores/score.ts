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

/** A recipe that gives other numbers for the same readings is a new version of it. */
export const recipeVersions: Readonly<Record<ScoreType, number>> = {
  recovery_score: 1,
  strain_score: 1,
  sleep_score: 1,
  stress_score: 1,
  nutrition_score: 1,
  energy_reserve_score: 1,
};

/** What moved a score, and by how much; the direction is that of the number, whether that is good or bad for the person. */
export interface Factor {
  readonly name: string;
  /** In tenths. */
  readonly contribution: number;
  readonly direction: 'positive' | 'negative' | 'neutral';
}

/** From 0 to 100 in tenths; the factors add up to it exactly. */
export interface Score {
  readonly value: number;
  readonly factors: Factor[];
}

/** One ingredient on its way into a score, for explanations. */
export interface Ingredient {
  readonly name: string;
  /** As in the recipe; null for penalties, loads and entries of a ledger. */
  readonly weight: number | null;
  /** The weight after rescaling over what was present. */
  readonly share: number | null;
  /** From 0 to 100. */
  readonly subScore: number | null;
  /** Exact: before the total is held between 0 and 100, and before rounding. */
  readonly contribution: number;
}

/** What was usual for the person, as a recipe used it. */
export interface NamedBaseline {
  readonly input: string;
  /** Of the readings, before centre and sd were taken. */
  readonly transform: 'ln' | 'none';
  readonly centre: number;
  readonly sd: number;
  readonly readings: number;
}

/** A score with all that explains it. */
export interface Scored extends Score {
  readonly type: ScoreType;
  readonly version: number;
  /** Where the score stands when nothing moves it. */
  readonly neutral: number;
  /** In the order of the recipe; only those there was data for. */
  readonly ingredients: Ingredient[];
  readonly baselines: NamedBaseline[];
  /** Further numbers worth showing, such as the training load behind a strain. */
  readonly figures: Record<string, number>;
}

/** As profiles tell it; null where they do not. */
export type Sex = 'female' | 'male' | 'other' | null;
