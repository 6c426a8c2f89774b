/** A problem that a person can act on: its message is shown alone, without a stack trace. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
