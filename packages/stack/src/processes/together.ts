/** Waits for all promises, even after one has failed, so that nothing is still starting while the rest is stopped. */
export async function together(
  work: readonly Promise<unknown>[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  let failed = false;
  let failure: unknown;
  const watched = work.map((item) =>
    item.catch((error: unknown) => {
      if (failed) return;
      failed = true;
      failure = error;
      onFailure(error);
    }),
  );
  await Promise.all(watched);
  if (failed) throw failure;
}
