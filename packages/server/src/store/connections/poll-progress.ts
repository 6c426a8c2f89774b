/** How far an interrupted poll got in one stream. */
export interface StreamProgress {
  stream: string;
  /** A short poll of a stream does not count as a deep one. */
  depth: 'short' | 'deep';
  /** The numbers of the parts that were read, or `all` when the stream is done. */
  parts: readonly number[] | 'all';
}

/** How far an interrupted poll got, with at most one element per stream and depth. */
export type PollProgress = readonly StreamProgress[];

/** Returns whether a part of a stream was read, or all of it. */
export function hasRead(
  progress: PollProgress,
  poll: Omit<StreamProgress, 'parts'>,
  part: number | 'all',
): boolean {
  const parts = partsOf(progress, poll);
  return parts === 'all' || (part !== 'all' && parts.includes(part));
}

/** Adds parts of a stream to the progress. */
export function addProgress(progress: PollProgress, added: StreamProgress): PollProgress {
  const before = partsOf(progress, added);
  const parts = before === 'all' || added.parts === 'all' ? 'all' : [...new Set([...before, ...added.parts])];
  return [...progress.filter((one) => !isSamePoll(one, added)), { ...added, parts }];
}

/**
 * The elements of `connections.poll_streams`, one JSON object per stream and depth. Nodes of version 0.1 compare elements with names of their own and
 * write back those that they do not know. They read such a stream again, and the progress is kept.
 */
export function formatProgress(progress: PollProgress): string[] {
  return progress.map(({ stream, depth, parts }) => JSON.stringify({ stream, depth, parts }));
}

/** Parses stored progress, also of version 0.1. Ignores unknown elements, so that their streams are read again. */
export function parseProgress(stored: readonly string[]): PollProgress {
  return stored.reduce<PollProgress>((progress, element) => {
    const one = element.startsWith('{') ? parseJson(element) : parseName(element);
    return one ? addProgress(progress, one) : progress;
  }, []);
}

function parseJson(element: string): StreamProgress | null {
  try {
    const { stream, depth, parts } = JSON.parse(element) as Partial<Record<string, unknown>>;
    if (typeof stream !== 'string' || (depth !== 'short' && depth !== 'deep')) return null;
    if (parts === 'all') return { stream, depth, parts };
    return Array.isArray(parts) && parts.every((part) => Number.isSafeInteger(part))
      ? { stream, depth, parts }
      : null;
  } catch {
    return null;
  }
}

/** Version 0.1 stored `sleep` or `deep sleep` for a stream, `deep sleep@3` for part 3 of it, and `deep sleep@` if it has only one part. */
function parseName(element: string): StreamProgress | null {
  const match = /^(?<deep>deep )?(?<stream>[^\s@]+)(?:@(?<part>|-?\d+))?$/.exec(element);
  if (!match) return null;
  const { deep, stream, part } = match.groups!;
  return {
    stream: stream!,
    depth: deep === undefined ? 'short' : 'deep',
    parts: part === undefined ? 'all' : [Number(part)],
  };
}

function partsOf(progress: PollProgress, poll: Omit<StreamProgress, 'parts'>): StreamProgress['parts'] {
  return progress.find((one) => isSamePoll(one, poll))?.parts ?? [];
}

function isSamePoll(one: Omit<StreamProgress, 'parts'>, other: Omit<StreamProgress, 'parts'>): boolean {
  return one.stream === other.stream && one.depth === other.depth;
}
