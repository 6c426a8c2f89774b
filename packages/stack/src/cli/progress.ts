/** One step of a start. Reported when it begins and when it is done. */
export interface Progress {
  step: string;
  detail: string;
  state: 'started' | 'done';
  elapsedMs: number;
}

export type OnProgress = (progress: Progress) => void;

export async function trackStep<Result>(
  onProgress: OnProgress,
  step: string,
  detail: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const begin = performance.now();
  onProgress({ step, detail, state: 'started', elapsedMs: 0 });
  const result = await work();
  onProgress({ step, detail, state: 'done', elapsedMs: performance.now() - begin });
  return result;
}
