import { addDays } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import { dateOfId } from '../document-id.ts';
import { wallClockAt } from '../local-time.ts';
import type { Collection } from './collections.ts';
import type { Life } from '../life.ts';
import type { DocumentState, OuraDocument } from './document-state.ts';
import type { DayRange } from './range.ts';

/** No simulated user had a ring before this date. */
const firstDate = '2020-01-01';
/** The page size is the lab's choice. */
const pageSize = 50;

export interface Page {
  data: OuraDocument[];
  /** The id after which the next page begins. */
  after: string | null;
}

/** A page of the documents that are visible now and belong to a day in the range. Each document appears once over all pages. */
export function listPage(
  frame: Frame,
  life: Life,
  collection: Collection,
  range: DayRange,
  after: string | null,
): Page {
  const begin = after === null ? null : dateOfId(life.person.id, collection.name, after);
  const first =
    [firstDate, addDays(range.start.slice(0, 10), -1), begin === null ? '' : addDays(begin, -1)]
      .sort()
      .at(-1) ?? firstDate;
  const today = wallClockAt(frame.now() + 86_400_000, life.person.timezone).slice(0, 10);
  const last = range.end.slice(0, 10) < today ? range.end.slice(0, 10) : today;
  const data: OuraDocument[] = [];
  let isBehind = begin === null;
  for (let date = first; date <= last; date = addDays(date, 1)) {
    for (const [id, states] of statesById(collection.keep(life, date))) {
      const document =
        isBehind && isWithin(states, range) ? latestDocument(frame, life, collection, states) : null;
      if (document && data.length === pageSize) return { data, after: data.at(-1)?.id ?? null };
      if (document) data.push(document);
      if (id === after) isBehind = true;
    }
  }
  return { data, after: null };
}

/** One document by its id, or null if it does not exist yet. */
export function findDocument(
  frame: Frame,
  life: Life,
  collection: Collection,
  id: string,
): OuraDocument | null {
  const day = dateOfId(life.person.id, collection.name, id);
  if (day === null || day < firstDate) return null;
  for (const date of [day, addDays(day, -1)]) {
    const states = statesById(collection.keep(life, date)).get(id);
    if (states) return latestDocument(frame, life, collection, states);
  }
  return null;
}

/** The latest visible state of a document. */
function latestDocument(
  frame: Frame,
  life: Life,
  collection: Collection,
  states: DocumentState[],
): OuraDocument | null {
  for (const documentState of states.toReversed()) {
    const seen = frame.visible(
      { person: life.person.id, kind: collection.name, key: documentState.key },
      documentState.endedAt,
    );
    if (seen) return documentState.toDocument(seen.revision);
  }
  return null;
}

function isWithin(states: DocumentState[], range: DayRange): boolean {
  const midnight = `${states[0]?.day}T00:00:00.000`;
  return range.start <= midnight && midnight < range.end;
}

function statesById(states: DocumentState[]): Map<string, DocumentState[]> {
  return Map.groupBy(states, ({ id }) => id);
}
