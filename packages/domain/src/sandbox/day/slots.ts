/** A day consists of five-minute slots. */
export const slotMinutes = 5;
export const dayMinutes = 1440;
