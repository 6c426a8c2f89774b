/** Lengths of time in milliseconds. A calendar day can be shorter or longer; see `days.ts`. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
