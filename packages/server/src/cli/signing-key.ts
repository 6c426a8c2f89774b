import type { Command } from 'commander';
import { rotateSigningKey } from '../services/signing-keys/rotate-signing-key.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, withContext } from './command.ts';

export function addSigningKeyCommands(program: Command): void {
  const signingKey = program.command('signing-key').description('manage the keys that sign user tokens');

  addJsonOption(signingKey.command('rotate'))
    .description('sign with a new key; tokens signed with the previous key stay valid until they expire')
    .option('--revoke-old', 'revoke all tokens signed with earlier keys now, for a leaked key')
    .action(
      withContext(async (ctx, options: { json?: boolean; revokeOld?: boolean }) => {
        const kid = await rotateSigningKey(ctx, operatorAtWork(), { revokeOld: options.revokeOld ?? false });
        print(options, { kid }, `User tokens are now signed with ${kid}.`);
      }),
    );
}
