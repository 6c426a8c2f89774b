import { addressIn } from '../engines/engine.ts';
import type { MailPorts } from '../port-plan.ts';
import { trackStep, type OnProgress } from '../progress.ts';
import { startMailCatcher } from './catcher.ts';

/** The mail server that the service of a stack speaks to. */
export interface StackMail extends AsyncDisposable {
  readonly smtpUrl: string;
  /** Where its mail can be read; null when it is a server of others. */
  readonly url: string | null;
}

/** Catches mail, unless there is a server that delivers it. */
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
