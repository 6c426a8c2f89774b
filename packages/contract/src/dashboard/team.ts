import { Type, type Static } from 'typebox';
import { Nullable, Timestamp, Words } from '../openapi/schema.ts';
import { operatorRoles } from './sign-in.ts';

const TeamMember = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Words(operatorRoles),
  two_factor: Type.Boolean(),
  joined_at: Timestamp,
  last_seen_at: Nullable(Timestamp),
});
export type TeamMemberWire = Static<typeof TeamMember>;

const TeamInvitation = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Words(operatorRoles),
  invited_by: Nullable(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type TeamInvitationWire = Static<typeof TeamInvitation>;

const Id = Type.Object({ id: Type.String({ maxLength: 100 }) });
const closed = { additionalProperties: false } as const;

export const teamOperations = {
  getTeam: {
    response: {
      200: Type.Object({ members: Type.Array(TeamMember), invitations: Type.Array(TeamInvitation) }),
    },
  },
  inviteColleague: {
    body: Type.Object(
      {
        email: Type.String({ minLength: 3, maxLength: 254, format: 'text' }),
        role: Words(operatorRoles),
      },
      closed,
    ),
    response: { 201: TeamInvitation },
  },
  revokeColleagueInvitation: { params: Id },
  changeColleague: {
    params: Id,
    body: Type.Object({ role: Words(operatorRoles) }, closed),
    response: { 200: TeamMember },
  },
  removeColleague: { params: Id },
};
