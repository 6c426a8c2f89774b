import { idOf, numberOf, type Fields } from '../../mapping/read.ts';

/** Data that Withings received from a phone's health store. It also arrives from the phone itself and would be counted twice. */
export function isEcho({ brand, is_tracker: isTracker }: Fields): boolean {
  return numberOf(brand) === 18 || isTracker === false;
}

/** An echo, for documents that otherwise always name their device. */
export function isEchoOrNoDevice(fields: Fields): boolean {
  return isEcho(fields) || idOf(fields['deviceid']) === null;
}

/** Whether it may belong to another user of the device. It is sent again once it is confirmed. */
export function isDoubtful({ attrib }: Fields): boolean {
  return numberOf(attrib) === 1;
}

/** Whether the user entered it manually, now or when the account was opened. It has no device then. */
export function isTyped({ attrib }: Fields): boolean {
  return numberOf(attrib) === 2 || numberOf(attrib) === 4;
}
