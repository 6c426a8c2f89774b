import type { Patch } from '@tributary/rig';
import type { MailResult } from './run.ts';

/** A fault that the comparison has to find. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** By what the comparison sees it, and how often. */
  sign: string;
  count: (result: MailResult) => number;
}

const file = 'packages/server/src/services/mails/send-mail.ts';

export const plants: readonly Plant[] = [
  {
    name: 'commits-first',
    title: 'a mail counts as sent before the mail server is asked',
    patches: [
      {
        file,
        find: 'if (!mail) return null;',
        replace: `if (!mail) return null;
    await ctx.operator.query(\`UPDATE mails SET status = 'sent', ended_at = now() WHERE id = '\${mailId}'\`);`,
      },
    ],
    sign: 'lost',
    count: ({ lost }) => lost,
  },
  {
    name: 'forgets-that-it-sent',
    title: 'one in five that were sent is taken for not sent',
    patches: [
      {
        file,
        find: 'await updateMailOutcome(tx, mailId, outcome);',
        replace: `if (Math.random() < 0.2) throw new MailDelayed('planted');
    await updateMailOutcome(tx, mailId, outcome);`,
      },
    ],
    sign: 'repeated',
    count: ({ repeated }) => repeated,
  },
  {
    name: 'new-name-each-time',
    title: 'every try has a Message-ID of its own',
    patches: [
      {
        file,
        find: "const messageId = `${id.replaceAll('-', '')}@",
        replace: 'const messageId = `${crypto.randomUUID()}@',
      },
    ],
    sign: 'misnamed',
    count: ({ misnamed }) => misnamed,
  },
  {
    name: 'gives-up',
    title: 'a mail whose sending was cut off is not tried again',
    patches: [
      {
        file: 'packages/server/src/jobs/queues.ts',
        find: "'send-mail': following,",
        replace: "'send-mail': { ...following, retryLimit: 0 },",
      },
    ],
    sign: 'unsent',
    count: ({ unsent }) => unsent,
  },
];
