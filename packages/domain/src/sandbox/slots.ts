/** The day is told in slots of five minutes. */
export const slotMinutes = 5;
export const dayMinutes = 1440;
