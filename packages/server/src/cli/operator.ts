import { operatorRoles, type OperatorRole } from '@tributary/contract';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import { formatId } from '../ids.ts';
import { isMailAddress } from '../mail/mail-address.ts';
import { forgetAuthenticator, removeColleague } from '../services/operators/change-team.ts';
import { createJoinLink } from '../services/operators/invite-colleague.ts';
import { findAccount } from '../store/accounts.ts';
import { findOperatorByEmail, listOperators, type Operator } from '../store/operators.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface Json {
  json?: boolean;
}

export function addOperatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('colleagues who sign in to the dashboard of an account');

  addJsonOption(operator.command('invite'))
    .description('make a link with which somebody joins an account, once and within 24 hours')
    .requiredOption('--account <account-id>', 'the account')
    .addOption(new Option('--role <role>', 'what they may do').choices(operatorRoles).default('owner'))
    .option('--email <email>', 'the address they will sign in with; they choose it otherwise', parseEmail)
    .action(
      withContext(async (ctx, options: Json & { account: string; role: OperatorRole; email?: string }) => {
        const accountId = requireId('acc', options.account);
        const account = await findAccount(ctx.operator, accountId);
        if (!account)
          throw new ConfigError(`There is no account ${options.account}. See \`tributary account list\`.`);
        const { role, email = null } = options;
        const url = await createJoinLink(ctx, operatorAtWork(), { accountId, email, role });
        print(
          options,
          { account_id: options.account, role, email, url },
          `${url}\nOpens ${account.name} for one ${role}, once, within 24 hours. Whoever has the link can use it.`,
        );
      }),
    );

  addJsonOption(operator.command('list'))
    .description('list the operators of an account')
    .requiredOption('--account <account-id>', 'the account')
    .action(
      withContext(async (ctx, options: Json & { account: string }) => {
        const team = (await listOperators(ctx.operator, requireId('acc', options.account))).map(toPrintable);
        const rows = team.map((row) => [
          row.operator_id,
          row.role,
          row.authenticator ? 'yes' : 'no',
          row.last_seen_at ?? 'never',
          row.email,
        ]);
        print(options, team, table(['OPERATOR', 'ROLE', 'AUTHENTICATOR', 'LAST SEEN', 'EMAIL'], rows));
      }),
    );

  addJsonOption(operator.command('remove <email>'))
    .description('take somebody out of the team, with all their sessions')
    .action(
      withContext(async (ctx, email: string, options: Json) => {
        const found = await requireOperator(email, (address) => findOperatorByEmail(ctx.operator, address));
        const { id: operatorId, accountId } = found;
        await removeColleague(ctx, operatorAtWork(), { accountId, operatorId });
        print(options, toPrintable(found), `Removed ${found.email}.`);
      }),
    );

  addJsonOption(operator.command('forget-authenticator <email>'))
    .description('let somebody sign in by password alone who has lost their authenticator and backup codes')
    .action(
      withContext(async (ctx, email: string, options: Json) => {
        const found = await requireOperator(email, (address) => findOperatorByEmail(ctx.operator, address));
        await forgetAuthenticator(ctx, operatorAtWork(), found);
        print(
          options,
          toPrintable({ ...found, hasAuthenticator: false }),
          `${found.email} signs in by password until they set up another authenticator. Their sessions have ended.`,
        );
      }),
    );
}

async function requireOperator(
  email: string,
  find: (email: string) => Promise<Operator | null>,
): Promise<Operator> {
  const found = await find(email);
  if (!found) throw new ConfigError(`Nobody signs in with ${email}. See \`tributary operator list\`.`);
  return found;
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
    throw new InvalidArgumentError('It must be a mail address such as ada@example.org.');
  return email;
}
