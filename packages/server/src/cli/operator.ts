import { operatorRoles, type OperatorRole } from '@tributary/contract';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import { formatId } from '../ids.ts';
import { isMailAddress } from '../mail/mail-address.ts';
import { forgetAuthenticator, removeColleague } from '../services/operators/change-team.ts';
import { createJoinLink } from '../services/operators/invite-colleague.ts';
import { listTeam } from '../services/operators/list-team.ts';
import { findAccount } from '../store/accounts/accounts.ts';
import { findOperatorByEmail, type Operator } from '../store/accounts/operators.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface Json {
  json?: boolean;
}

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('manage the dashboard users of an account');

  addJsonOption(operator.command('invite'))
    .description('create a link to join an account; it works once and expires in 24 hours')
    .requiredOption('--account <account-id>', 'account id')
    .addOption(
      new Option('--role <role>', 'role of the new dashboard user').choices(operatorRoles).default('owner'),
    )
    .option(
      '--email <email>',
      'email address to sign in with; by default, the new user chooses it',
      parseEmail,
    )
    .action(
      withContext(async (ctx, options: Json & { account: string; role: OperatorRole; email?: string }) => {
        const accountId = requireId('acc', options.account);
        const account = await findAccount(ctx.operator, accountId);
        if (!account)
          throw new ConfigError(
            `Account ${options.account} not found. List accounts with \`tributary account list\`.`,
          );
        const { role, email = null } = options;
        const url = await createJoinLink(ctx, operatorAtWork(), { accountId, email, role });
        print(
          options,
          { account_id: options.account, role, email, url },
          `${url}\nThis link lets one person join ${account.name} as ${role}. It works once and expires in 24 hours. Anyone who has it can use it.`,
        );
      }),
    );

  addJsonOption(operator.command('list'))
    .description('list the dashboard users of an account')
    .requiredOption('--account <account-id>', 'account id')
    .action(
      withContext(async (ctx, options: Json & { account: string }) => {
        const team = (await listTeam(ctx, requireId('acc', options.account))).map(toPrintable);
        const rows = team.map((row) => [
          row.operator_id,
          row.role,
          row.authenticator ? 'yes' : 'no',
          row.last_seen_at ?? 'never',
          row.email,
        ]);
        print(options, team, table(['ID', 'ROLE', 'AUTHENTICATOR', 'LAST SEEN', 'EMAIL'], rows));
      }),
    );

  addJsonOption(operator.command('remove <email>'))
    .description('remove a dashboard user and end all their sessions')
    .action(
      withContext(async (ctx, email: string, options: Json) => {
        const dashboardUser = await requireOperator(email, (address) =>
          findOperatorByEmail(ctx.operator, address),
        );
        const { id: operatorId, accountId } = dashboardUser;
        await removeColleague(ctx, operatorAtWork(), { accountId, operatorId });
        print(options, toPrintable(dashboardUser), `Removed ${dashboardUser.email}.`);
      }),
    );

  addJsonOption(operator.command('forget-authenticator <email>'))
    .description(
      'let a dashboard user who lost their authenticator and backup codes sign in with only a password',
    )
    .action(
      withContext(async (ctx, email: string, options: Json) => {
        const dashboardUser = await requireOperator(email, (address) =>
          findOperatorByEmail(ctx.operator, address),
        );
        await forgetAuthenticator(ctx, operatorAtWork(), dashboardUser);
        print(
          options,
          toPrintable({ ...dashboardUser, hasAuthenticator: false }),
          `Removed the authenticator of ${dashboardUser.email} and ended their sessions. They sign in with only a password until they set up another authenticator.`,
        );
      }),
    );
}

async function requireOperator(
  email: string,
  find: (email: string) => Promise<Operator | null>,
): Promise<Operator> {
  const dashboardUser = await find(email);
  if (!dashboardUser)
    throw new ConfigError(
      `Dashboard user ${email} not found. List dashboard users with \`tributary operator list\`.`,
    );
  return dashboardUser;
}

function toPrintable(operator: Operator) {
  return {
    operator_id: formatId('op', operator.id),
    account_id: formatId('acc', operator.accountId),
    email: operator.email,
    name: operator.name,
    role: operator.role,
    authenticator: operator.hasAuthenticator,
    joined_at: operator.joinedAt,
    last_seen_at: operator.lastSeenAt,
  };
}

function parseEmail(value: string): string {
  const email = value.trim().toLowerCase();
  if (!isMailAddress(email))
    throw new InvalidArgumentError('It must be an email address such as ada@example.org.');
  return email;
}
