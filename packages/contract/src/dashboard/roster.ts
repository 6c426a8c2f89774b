import { Type } from 'typebox';
import { RosterInvitation } from '../roster.ts';
import { RefTo } from '../schema.ts';
import { InEnvironment } from './environment.ts';

export const rosterMailOperations = {
  resendRosterInvitation: {
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    querystring: InEnvironment,
    response: { 202: RefTo(RosterInvitation) },
  },
};
