import type { NodemailerError } from 'nodemailer';

/** The mail server will never take this mail for this recipient. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** What the server answered, such as 550, or `address` when it could not even be asked. */
  readonly code: string;

  constructor(code: string) {
    super(`The mail server refused the mail with ${code}.`);
    this.code = code;
  }
}

/** The mail was not sent this time; it may be the next. */
export class MailDelayed extends Error {
  override name = 'MailDelayed';
}

/** Of sign-in and encryption, also where they come after RCPT or DATA: nothing that another address would change. */
const aboutUs = new Set([530, 534, 535, 538]);

/**
 * What a failure means. Neither error carries what the server said, or the error it came from: both quote addresses. A sender that is
 * refused is a matter of settings and not of this mail, so that it is tried again when they are mended.
 */
export function judgeFailure(cause: unknown): MailRefused | MailDelayed {
  const { code, command, responseCode, permanent, originalCode } = cause as Partial<NodemailerError>;
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused('address');
  const isAboutMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE';
  if (isAboutMail && permanent === true && responseCode !== undefined && !aboutUs.has(responseCode))
    return new MailRefused(String(responseCode));
  const parts = [code ?? 'unknown', originalCode, command && `after ${command}`, responseCode];
  return new MailDelayed(`The mail server did not take a mail: ${parts.filter(Boolean).join(' ')}.`);
}
