export { isStorableText } from './text.ts';
export { isTimezone } from './timezone.ts';
