import { idOf, numberOf, type Fields } from '../mapping/read.ts';

/** What a phone's health store gave to Withings. It comes from the phone itself as well, and would be counted twice. */
export function isEcho({ brand, is_tracker: isTracker }: Fields): boolean {
  return numberOf(brand) === 18 || isTracker === false;
}

/** An echo, of documents that always name the device that made them. */
export function isEchoOrNoDevice(fields: Fields): boolean {
  return isEcho(fields) || idOf(fields['deviceid']) === null;
}

/** Whether it may be of somebody else who uses the device; it comes again once it is confirmed. */
export function isDoubtful({ attrib }: Fields): boolean {
  return numberOf(attrib) === 1;
}

/** Whether the person typed it, now or when the account was opened: no device is named then. */
export function isTyped({ attrib }: Fields): boolean {
  return numberOf(attrib) === 2 || numberOf(attrib) === 4;
}
