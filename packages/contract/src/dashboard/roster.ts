import { Type } from 'typebox';
import { RosterInvitation } from '../resources/roster.ts';
import { RefTo } from '../openapi/schema.ts';
import { InEnvironment } from './environment.ts';

export const rosterMailOperations = {
  resendRosterInvitation: {
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    querystring: InEnvironment,
    response: { 202: RefTo(RosterInvitation) },
  },
};
