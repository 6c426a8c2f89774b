import type { Patch } from '@tributary/rig';
import type { MailResult } from './run.ts';

/** A fault that the comparison must detect. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
  /** What the comparison must report, and how often. */
  sign: string;
  count: (result: MailResult) => number;
}

const file = 'packages/server/src/services/mails/send-mail.ts';

export const plants: readonly Plant[] = [
  {
    name: 'commits-first',
    title: 'a mail is recorded as sent before it is handed to the mail server',
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
    title: 'one in five sent mails is treated as not sent',
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
    title: 'every attempt has a new Message-ID',
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
    title: 'a mail whose sending was interrupted is not retried',
    patches: [
      {
        file: 'packages/server/src/queue/queues.ts',
        find: "'send-mail': changeQueue,",
        replace: "'send-mail': { ...changeQueue, retryLimit: 0 },",
      },
    ],
    sign: 'unsent',
    count: ({ unsent }) => unsent,
  },
];
