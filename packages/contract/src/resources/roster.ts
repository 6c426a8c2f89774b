import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, textRule, Timestamp, Words } from '../openapi/schema.ts';

export const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export const memberStatuses = ['active', 'archived'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

const mailStatuses = ['waiting', 'sent', 'failed', 'cancelled'] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** How long an invitation stays valid. */
export const invitationDays = 14;

export const RosterInvitation = Component(
  'RosterInvitation',
  Type.Object(
    {
      id: Type.String({ description: 'Invitation identifier.' }),
      email: Type.String({ description: 'The address the invitation was sent to.' }),
      name: Nullable(Type.String({ description: 'The name you supplied.' })),
      status: Words(invitationStatuses, {
        description: '`pending` until the person replies, you revoke it, or 14 days have passed.',
      }),
      mail_status: Words(mailStatuses, {
        description:
          'Status of the mail with the link. `failed`: the mail server permanently refused the address. `cancelled`: the invitation ended before the mail was sent.',
      }),
      member_id: Nullable(Type.String({ description: 'The member it created, once accepted.' })),
      created_at: Timestamp,
      expires_at: Timestamp,
    },
    { description: 'An email that asks a person to share their data.' },
  ),
);

export const RosterMember = Component(
  'RosterMember',
  Type.Object(
    {
      id: Type.String({ description: 'Member identifier.' }),
      user_id: Type.String({ description: 'The user whose data the member shares.' }),
      name: Nullable(Type.String({ description: 'The name in the invitation.' })),
      email: Type.String({ description: 'The address the invitation was sent to.' }),
      status: Words(memberStatuses, { description: 'The data of an archived member stays readable.' }),
      joined_at: Timestamp,
      archived_at: Nullable(Timestamp),
    },
    { description: 'A person who accepted an invitation.' },
  ),
);

const personName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  format: 'text',
  description: `Shown to the person and in your lists. One line. ${textRule}`,
});

export const CreateRosterInvitation = Component(
  'CreateRosterInvitation',
  Type.Object(
    {
      email: Type.String({
        format: 'email',
        minLength: 3,
        maxLength: 254,
        description: 'The address to invite.',
      }),
      name: Type.Optional(Nullable(personName)),
      user_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'An existing user of yours to link the member to. If omitted, accepting creates a user.',
        }),
      ),
      reference_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          format: 'text',
          description: `The reference of the user created by accepting. Default: the id of the invitation. ${textRule}`,
        }),
      ),
    },
    { description: 'Send `user_id`, `reference_id` or neither.' },
  ),
);

export const UpdateRosterMember = Component(
  'UpdateRosterMember',
  Type.Object(
    { status: Words(memberStatuses, { description: '`archived` to archive, `active` to reactivate.' }) },
    { description: 'The new status of the member.' },
  ),
);

const nextCursor = Nullable(
  Type.String({ description: 'Where the next page begins. Null on the last page.' }),
);

export const RosterInvitationList = Component(
  'RosterInvitationList',
  Type.Object(
    { data: Type.Array(RefTo(RosterInvitation)), next_cursor: nextCursor },
    { description: 'Newest first.' },
  ),
);

export const RosterMemberList = Component(
  'RosterMemberList',
  Type.Object(
    { data: Type.Array(RefTo(RosterMember)), next_cursor: nextCursor },
    { description: 'Most recently joined first. Removed members are not listed.' },
  ),
);

export type RosterInvitationWire = Static<typeof RosterInvitation>;
export type RosterMemberWire = Static<typeof RosterMember>;

export const exampleInvitation: RosterInvitationWire = {
  id: 'inv_01jcqz9a4te2v8m0x6k3r5w7yb',
  email: 'ada@example.com',
  name: 'Ada Example',
  status: 'pending',
  mail_status: 'sent',
  member_id: null,
  created_at: '2026-03-01T10:00:00.000Z',
  expires_at: '2026-03-15T10:00:00.000Z',
};

export const exampleMember: RosterMemberWire = {
  id: 'mem_01jcqz9c6xf4s1n8t2v5y7b9dk',
  user_id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  name: 'Ada Example',
  email: 'ada@example.com',
  status: 'active',
  joined_at: '2026-03-02T08:30:00.000Z',
  archived_at: null,
};
