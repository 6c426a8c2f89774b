import { randomBytes } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';
import { hashForPostgres, hashForRedis } from './password-hashes.ts';

// cSpell:ignore resetchannels resetpass
/** Roles of the service, which own nothing. Created here, so that the owner needs no right to create roles. */
const serviceRoles = ['tributary_service', 'tributary_operator', 'tributary_sign_in'];
/** What the service does in NATS and Redis (docs/operating.md). */
const natsSubjects = { publish: ['tributary.>', '$JS.API.>'], subscribe: ['tributary.>', '_INBOX.>'] };
const redisRights =
  'resetchannels ~tributary:limit:* +hello +ping +role +time +get +set +evalsha +script|load';

/** New random secrets of an installation, by file name. Engines get hashes and public keys only. */
export function makeSecrets(): Record<string, string> {
  const [database, owner, redis] = [randomText(), randomText(), randomText()];
  const nats = nkeys.createUser();
  return {
    'encryption-keys': `1:${randomBytes(32).toString('base64')}`,
    'database-password': database,
    'database-owner-password': owner,
    'postgres-password': randomText(),
    'redis-password': redis,
    'nats-nkey-seed': new TextDecoder().decode(nats.getSeed()),
    'grafana-password': randomText(),
    'postgres-roles.sql': postgresRoles(database, owner),
    'nats-users.conf': natsUsers(nats.getPublicKey()),
    'valkey-users.acl': `user default off resetpass\nuser tributary on #${hashForRedis(redis)} ${redisRights}`,
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function postgresRoles(password: string, ownerPassword: string): string {
  return [
    `CREATE ROLE tributary_owner LOGIN PASSWORD '${hashForPostgres(ownerPassword, randomBytes(16))}';`,
    `CREATE ROLE tributary LOGIN NOINHERIT PASSWORD '${hashForPostgres(password, randomBytes(16))}';`,
    ...serviceRoles.map((role) => `CREATE ROLE ${role} NOLOGIN;`),
    `GRANT ${serviceRoles.join(', ')} TO tributary, tributary_owner;`,
    'CREATE DATABASE tributary OWNER tributary_owner;',
    'REVOKE CONNECT ON DATABASE tributary FROM PUBLIC;',
    'GRANT CONNECT ON DATABASE tributary TO tributary;',
  ].join('\n');
}

function natsUsers(publicKey: string): string {
  return [
    'authorization {',
    '  users = [{',
    `    nkey: ${publicKey}`,
    '    permissions: {',
    `      publish: [${quote(natsSubjects.publish)}]`,
    `      subscribe: [${quote(natsSubjects.subscribe)}]`,
    '    }',
    '  }]',
    '}',
  ].join('\n');
}

function quote(subjects: readonly string[]): string {
  return subjects.map((subject) => `"${subject}"`).join(', ');
}
