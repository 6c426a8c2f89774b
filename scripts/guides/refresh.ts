import { ellipsis, findDifference, isRecord, splitList, type Json } from './compare.ts';

const dayMs = 86_400_000;

/** A count of changes, which may vary by one between runs. */
const counter = 'data_version';

/** Formats an actual response for a guide: shortened parts stay short, and parts that differ in every run are masked. */
export function refresh(shown: Json | undefined, real: Json, nowMs: number): Json {
  if (shown === undefined) return mask(real, nowMs);
  if (findDifference(shown, real) === null) return shown;
  if (Array.isArray(shown) && Array.isArray(real)) return refreshList(shown, real, nowMs);
  if (isRecord(shown) && isRecord(real)) {
    const isShort = Object.hasOwn(shown, ellipsis);
    const keys = Object.keys(real).filter((key) => !isShort || Object.hasOwn(shown, key));
    const fields = keys.map((key) => [key, refresh(shown[key], real[key]!, nowMs)] as const);
    return Object.fromEntries(isShort ? [...fields, [ellipsis, ellipsis]] : fields);
  }
  return mask(real, nowMs);
}

function refreshList(shown: Json[], real: Json[], nowMs: number): Json[] {
  const { before, after, isShort } = splitList(shown);
  if (!isShort) return real.map((value, at) => refresh(shown[at], value, nowMs));
  const first = real.slice(0, before.length);
  const last = real.slice(Math.max(first.length, real.length - after.length));
  return [
    ...first.map((value, at) => refresh(before[at], value, nowMs)),
    ...(real.length > first.length + last.length ? [ellipsis] : []),
    ...last.map((value, at) => refresh(after[at], value, nowMs)),
  ];
}

/** Masks ids, secrets and counters of the service, and processing times, which are those within a day of now. */
function mask(value: Json, nowMs: number): Json {
  if (Array.isArray(value)) return value.map((element) => mask(element, nowMs));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, key === counter ? ellipsis : mask(field, nowMs)]),
    );
  if (typeof value !== 'string') return value;
  const isProcessingTime = /^\d{4}-\d\d-\d\dT.*Z$/.test(value) && Math.abs(Date.parse(value) - nowMs) < dayMs;
  if (isProcessingTime) return ellipsis;
  return value
    .replaceAll(/\b(user|dev|slp|wko|evt|wh|inv|mem|aud)_[0-9a-z]{26}\b/g, `$1_${ellipsis}`)
    .replaceAll(/\bwhsec_[A-Za-z0-9+/=]+/g, `whsec_${ellipsis}`);
}
