import { Type } from 'typebox';
import { answer, authenticatedErrors, errors, noContent, type Operation } from '../operation.ts';
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
} from '../roster.ts';
import { RefTo, Words } from '../schema.ts';
import { NoQuery } from './webhook-parameters.ts';

const tags = ['Team roster'];

const InvitationPath = Type.Object({
  id: Type.String({ description: 'Invitation identifier', examples: [exampleInvitation.id] }),
});

const MemberPath = Type.Object({
  id: Type.String({ description: 'Member identifier', examples: [exampleMember.id] }),
});

const listParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Entries an answer, at most; default 50' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The `next_cursor` of the answer before, with the same `status` and `limit` or none',
    }),
  ),
};

/** What every call of the roster may answer with. */
const rosterErrors = ['invalid_request', ...authenticatedErrors, 'roster_not_configured'] as const;
/** Deleting always works, also for a suspended account. */
const deletionErrors = rosterErrors.filter((code) => code !== 'payment_required');

export const createRosterInvitation = {
  operationId: 'createRosterInvitation',
  summary: 'Invite a person',
  description:
    'Sends a mail with a link to a page where the person sees who asks for what, and accepts or declines within 14 days. Needs a live key. ' +
    'A person who was removed comes back the same way, to the same user.',
  tags,
  body: RefTo(CreateRosterInvitation),
  bodyExamples: {
    new_person: { email: 'ada@example.com', name: 'Ada Example', reference_id: 'ada' },
    own_user: { email: 'ada@example.com', user_id: exampleMember.user_id },
  },
  response: {
    201: answer('The invitation', RefTo(RosterInvitation), { ...exampleInvitation, mail_status: 'waiting' }),
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
  description: 'Newest first.',
  tags,
  querystring: Type.Object(
    {
      status: Type.Optional(Words(invitationStatuses, { description: 'Only these' })),
      ...listParameters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The invitations', RefTo(RosterInvitationList), {
      data: [exampleInvitation],
      next_cursor: null,
    }),
    ...errors(...rosterErrors, 'invalid_cursor', 'invalid_filter'),
  },
} satisfies Operation;

export const getRosterInvitation = {
  operationId: 'getRosterInvitation',
  summary: 'Get an invitation',
  description: 'With what became of it.',
  tags,
  params: InvitationPath,
  querystring: NoQuery,
  response: {
    200: answer('The invitation', RefTo(RosterInvitation), exampleInvitation),
    ...errors(...rosterErrors, 'not_found'),
  },
} satisfies Operation;

export const deleteRosterInvitation = {
  operationId: 'deleteRosterInvitation',
  summary: 'Revoke an invitation',
  description:
    'Its link ends at once. One that was answered, revoked or has expired stays as it is: 204 as well.',
  tags,
  params: InvitationPath,
  querystring: NoQuery,
  response: {
    204: noContent('Revoked, or inactive already'),
    ...errors(...deletionErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const listRosterMembers = {
  operationId: 'listRosterMembers',
  summary: 'List members',
  description: 'Those who joined last first.',
  tags,
  querystring: Type.Object(
    { status: Type.Optional(Words(memberStatuses, { description: 'Only these' })), ...listParameters },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The members', RefTo(RosterMemberList), { data: [exampleMember], next_cursor: null }),
    ...errors(...rosterErrors, 'invalid_cursor', 'invalid_filter'),
  },
} satisfies Operation;

export const updateRosterMember = {
  operationId: 'updateRosterMember',
  summary: 'Archive or reactivate a member',
  description: 'Neither touches the account or the data of the person, who stays readable. Needs a live key.',
  tags,
  params: MemberPath,
  body: RefTo(UpdateRosterMember),
  bodyExamples: { archive: { status: 'archived' }, reactivate: { status: 'active' } },
  response: {
    200: answer('The member as it is now', RefTo(RosterMember), {
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
    'You share nothing any more: a user that accepting made is 404 from now on, and comes back when the person accepts again; a user that you ' +
    'made yourself stays yours. No data of the person is deleted. Needs a live key. One that was removed before: 204 as well.',
  tags,
  params: MemberPath,
  querystring: NoQuery,
  response: {
    204: noContent('Removed, now or before'),
    ...errors(...deletionErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;
