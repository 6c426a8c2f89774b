import { addressIn } from '../engines/engine.ts';
import type { MailPorts } from '../ports/port-plan.ts';
import { trackStep, type OnProgress } from '../cli/progress.ts';
import { startMailCatcher } from './inbox.ts';

/** The mail server that the service of a stack uses. */
export interface StackMail extends AsyncDisposable {
  readonly smtpUrl: string;
  /** Where its mail can be read. Null for an external server. */
  readonly url: string | null;
}

/** Starts a local inbox unless an external mail server is set. */
export function startStackMail(
  { smtp, mail }: MailPorts,
  existing: string | undefined,
  onProgress: OnProgress,
): Promise<StackMail> {
  if (existing === undefined)
    return trackStep(onProgress, 'Mail', `127.0.0.1:${smtp}`, () =>
      startMailCatcher({ smtpPort: smtp, httpPort: mail }),
    );
  return trackStep(onProgress, 'Mail', `existing, ${addressIn(existing)}`, async () => ({
    smtpUrl: existing,
    url: null,
    [Symbol.asyncDispose]: async () => {},
  }));
}
