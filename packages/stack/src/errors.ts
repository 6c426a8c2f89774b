/** An error that the user can act on. Its message is shown without a stack trace. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
