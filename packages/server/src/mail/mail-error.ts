import type { NodemailerError } from 'nodemailer';

/** The mail server permanently refuses this mail for this recipient. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** The SMTP response code, such as 550, or `address` if the address was invalid. */
  readonly code: string;

  constructor(code: string) {
    super(`The mail server rejected the message with code ${code}.`);
    this.code = code;
  }
}

/** The mail was not sent and should be retried. */
export class MailDelayed extends Error {
  override name = 'MailDelayed';
}

/** Authentication and encryption errors. They concern our settings and not the address, even after RCPT or DATA. */
const aboutUs = new Set([530, 534, 535, 538]);

/**
 * Classifies a failure. Neither error includes the server's message or the cause, because both quote addresses. A refused sender is a
 * configuration problem, so the mail is retried until the configuration is fixed.
 */
export function classifyFailure(cause: unknown): MailRefused | MailDelayed {
  const { code, command, responseCode, permanent, originalCode } = cause as Partial<NodemailerError>;
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused('address');
  const isAboutMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE';
  if (isAboutMail && permanent === true && responseCode !== undefined && !aboutUs.has(responseCode))
    return new MailRefused(String(responseCode));
  const parts = [code ?? 'unknown', originalCode, command && `after ${command}`, responseCode];
  return new MailDelayed(`The mail server did not accept the message: ${parts.filter(Boolean).join(' ')}.`);
}
