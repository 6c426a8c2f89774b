import { Type } from 'typebox';
import {
  jsonResponse,
  authenticatedErrors,
  errors,
  evenSuspendedErrors,
  noContent,
  type Operation,
} from '../openapi/operation.ts';
import {
  CreateRosterInvitation,
  exampleInvitation,
  exampleMember,
  invitationStatuses,
  memberStatuses,
  RosterInvitation,
  RosterInvitationList,
  RosterMember,
  RosterMemberList,
  UpdateRosterMember,
} from '../resources/roster.ts';
import { RefTo, Words } from '../openapi/schema.ts';
import { cursorParameter } from './read-parameters.ts';
import { NoQuery } from './webhook-parameters.ts';

const tags = ['Team roster'];

const InvitationPath = Type.Object({
  id: Type.String({ description: 'Invitation identifier.', examples: [exampleInvitation.id] }),
});

const MemberPath = Type.Object({
  id: Type.String({ description: 'Member identifier.', examples: [exampleMember.id] }),
});

const listParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Entries per page, 1 to 100. Default 50.' }),
  ),
  cursor: cursorParameter(
    'The `next_cursor` of the previous response. Send the same `status` and `limit`, or neither.',
  ),
};

/** Errors that every roster operation may return. */
const rosterErrors = ['invalid_request', ...authenticatedErrors, 'roster_not_configured'] as const;
const deletionErrors = ['invalid_request', ...evenSuspendedErrors, 'roster_not_configured'] as const;

export const createRosterInvitation = {
  operationId: 'createRosterInvitation',
  summary: 'Invite a person',
  description:
    'Emails the person a link to a page that shows who asks for which data. The person accepts or declines within 14 days. Requires a live key. ' +
    'A person who was removed rejoins the same way, with the same user.',
  tags,
  body: RefTo(CreateRosterInvitation),
  bodyExamples: {
    new_person: { email: 'ada@example.com', name: 'Ada Example', reference_id: 'ada' },
    own_user: { email: 'ada@example.com', user_id: exampleMember.user_id },
  },
  response: {
    201: jsonResponse('The invitation.', RefTo(RosterInvitation), {
      ...exampleInvitation,
      mail_status: 'waiting',
    }),
    ...errors(
      ...rosterErrors,
      'not_found',
      'already_invited',
      'already_member',
      'reference_id_taken',
      'payload_too_large',
    ),
  },
} satisfies Operation;

export const listRosterInvitations = {
  operationId: 'listRosterInvitations',
  summary: 'List invitations',
  description: 'Lists invitations, newest first.',
  tags,
  querystring: Type.Object(
    {
      status: Type.Optional(Words(invitationStatuses, { description: 'Only invitations with this status.' })),
      ...listParameters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The invitations.', RefTo(RosterInvitationList), {
      data: [exampleInvitation],
      next_cursor: null,
    }),
    ...errors(...rosterErrors, 'invalid_cursor'),
  },
} satisfies Operation;

export const getRosterInvitation = {
  operationId: 'getRosterInvitation',
  summary: 'Get an invitation',
  description: 'Returns the invitation with its status.',
  tags,
  params: InvitationPath,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The invitation.', RefTo(RosterInvitation), exampleInvitation),
    ...errors(...rosterErrors, 'not_found'),
  },
} satisfies Operation;

export const deleteRosterInvitation = {
  operationId: 'deleteRosterInvitation',
  summary: 'Revoke an invitation',
  description:
    'The link stops working immediately. An invitation that was accepted, declined or revoked, or that has expired, stays unchanged and also returns 204.',
  tags,
  params: InvitationPath,
  querystring: NoQuery,
  response: {
    204: noContent('Revoked, or already inactive.'),
    ...errors(...deletionErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const listRosterMembers = {
  operationId: 'listRosterMembers',
  summary: 'List members',
  description: 'Lists members, most recently joined first.',
  tags,
  querystring: Type.Object(
    {
      status: Type.Optional(Words(memberStatuses, { description: 'Only members with this status.' })),
      ...listParameters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The members.', RefTo(RosterMemberList), { data: [exampleMember], next_cursor: null }),
    ...errors(...rosterErrors, 'invalid_cursor'),
  },
} satisfies Operation;

export const updateRosterMember = {
  operationId: 'updateRosterMember',
  summary: 'Archive or reactivate a member',
  description:
    "Archives or reactivates a member. Neither changes the person's account or data, which stays readable. Requires a live key.",
  tags,
  params: MemberPath,
  body: RefTo(UpdateRosterMember),
  bodyExamples: { archive: { status: 'archived' }, reactivate: { status: 'active' } },
  response: {
    200: jsonResponse('The updated member.', RefTo(RosterMember), {
      ...exampleMember,
      status: 'archived',
      archived_at: '2026-04-01T09:00:00.000Z',
    }),
    ...errors(...rosterErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const deleteRosterMember = {
  operationId: 'deleteRosterMember',
  summary: 'Remove a member',
  description:
    'Ends sharing with your organization. A user created by accepting an invitation returns 404 from now on and is restored when the person ' +
    'accepts again. A user that you created yourself stays yours. No data of the person is deleted. Requires a live key. Removing a member again ' +
    'also returns 204.',
  tags,
  params: MemberPath,
  querystring: NoQuery,
  response: {
    204: noContent('Removed, or already removed.'),
    ...errors(...deletionErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;
