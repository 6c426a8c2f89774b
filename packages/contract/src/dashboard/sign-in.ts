import { Type, type Static } from 'typebox';
import { Nullable, Timestamp, Words } from '../openapi/schema.ts';

/** Roles of dashboard users. Owners may do everything, developers everything except manage the team and settings, and viewers may only read. */
export const operatorRoles = ['owner', 'developer', 'viewer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export const passwordLimits = { shortest: 12, longest: 128 } as const;

const Email = Type.String({ minLength: 3, maxLength: 254, format: 'text' });
const ExistingPassword = Type.String({ minLength: 1, maxLength: passwordLimits.longest });
const NewPassword = Type.String({ minLength: passwordLimits.shortest, maxLength: passwordLimits.longest });
const Code = Type.String({ minLength: 6, maxLength: 6, pattern: '^[0-9]+$' });
const BackupCode = Type.String({ minLength: 1, maxLength: 20 });
const Token = Type.String({ minLength: 1, maxLength: 100 });
const Name = Type.String({ minLength: 1, maxLength: 100, format: 'text', pattern: '\\S' });

const closed = { additionalProperties: false } as const;

const SignedIn = Type.Object({
  operator: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    two_factor: Type.Boolean(),
  }),
  account: Type.Object({ id: Type.String(), name: Type.String(), requires_authenticator: Type.Boolean() }),
  role: Words(operatorRoles),
  session: Type.Object({
    /** Time without activity after which the session ends. */
    idle_limit_seconds: Type.Integer(),
    idle_remaining_seconds: Type.Integer(),
    ends_at: Timestamp,
  }),
});
export type SignedInWire = Static<typeof SignedIn>;

const OperatorLinkView = Type.Object({
  kind: Words(['owner', 'invitation', 'password']),
  account: Type.Object({ name: Type.String() }),
  role: Nullable(Words(operatorRoles)),
  email: Nullable(Type.String()),
  invited_by: Nullable(Type.String()),
  expires_at: Timestamp,
});
export type OperatorLinkWire = Static<typeof OperatorLinkView>;

const Authenticator = Type.Object({ uri: Type.String(), backup_codes: Type.Array(Type.String()) });
const BackupCodes = Type.Object({ backup_codes: Type.Array(Type.String()) });

const OperatorSession = Type.Object({
  id: Type.String(),
  current: Type.Boolean(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  address: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
});
export type OperatorSessionWire = Static<typeof OperatorSession>;

export const signInOperations = {
  getSession: { response: { 200: SignedIn } },
  signIn: {
    body: Type.Object({ email: Email, password: ExistingPassword }, closed),
    response: { 200: Type.Object({ two_factor: Type.Boolean() }) },
  },
  signInWithCode: { body: Type.Object({ code: Code }, closed) },
  signInWithBackupCode: { body: Type.Object({ code: BackupCode }, closed) },
  openLink: { body: Type.Object({ token: Token }, closed), response: { 200: OperatorLinkView } },
  join: {
    body: Type.Object(
      { token: Token, name: Name, email: Type.Optional(Email), password: NewPassword },
      closed,
    ),
  },
  forgotPassword: { body: Type.Object({ email: Email }, closed) },
  resetPassword: { body: Type.Object({ token: Token, password: NewPassword }, closed) },
  confirmIdentity: {
    body: Type.Union([
      Type.Object({ password: ExistingPassword }, closed),
      Type.Object({ code: Code }, closed),
    ]),
  },
  changePassword: { body: Type.Object({ current: ExistingPassword, password: NewPassword }, closed) },
  startAuthenticator: {
    body: Type.Object({ password: ExistingPassword }, closed),
    response: { 200: Authenticator },
  },
  confirmAuthenticator: { body: Type.Object({ code: Code }, closed) },
  removeAuthenticator: { body: Type.Object({ password: ExistingPassword }, closed) },
  renewBackupCodes: {
    body: Type.Object({ password: ExistingPassword }, closed),
    response: { 200: BackupCodes },
  },
  listSessions: { response: { 200: Type.Object({ data: Type.Array(OperatorSession) }) } },
};
