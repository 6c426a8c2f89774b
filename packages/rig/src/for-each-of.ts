/** Runs a task for each element, `atOnce` at a time. */
export async function forEachOf<T>(
  list: readonly T[],
  atOnce: number,
  work: (one: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < list.length) {
      const at = next++;
      await work(list[at]!, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
}
