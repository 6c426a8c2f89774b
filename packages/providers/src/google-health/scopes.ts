const scopeOf = (word: string): string => `https://www.googleapis.com/auth/googlehealth.${word}.readonly`;

export const activityScope = scopeOf('activity_and_fitness');
export const metricsScope = scopeOf('health_metrics_and_measurements');
export const sleepScope = scopeOf('sleep');
