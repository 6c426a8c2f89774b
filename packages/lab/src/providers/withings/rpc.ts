import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Person } from '../../world/people/person.ts';
import type { Frame, Grant } from '../../provider.ts';
import { successResponse, refusal, Refused } from './response.ts';
import type { Fields } from './range.ts';

/** A call on behalf of a user who consented. */
export interface Call {
  fields: Fields;
  grant: Grant;
  person: Person;
}

/** The handler of an action, and the scope it requires. */
export interface Action {
  scope: string | null;
  run: (call: Call) => object | Promise<object>;
}

const rules = [{ calls: 120, windowSeconds: 60, per: 'app' }] as const;

/** Serves the actions of one path. Each requires a bearer token and counts against the limit of the app. */
export function serveActions(
  app: FastifyInstance,
  frame: Frame,
  path: string,
  actions: Record<string, Action>,
): void {
  serveRpc(app, path, async (fields, request) => {
    const grant = frame.oauth.grantOf(request);
    const person = grant && frame.person(grant.personId);
    if (!grant || !person) throw new Refused('token');
    if (frame.limits.take(rules, grant.clientId, grant.userId).some((state) => state.exceeded))
      throw new Refused('tooMany');
    const action = actions[fields['action'] ?? ''];
    if (!action) throw new Refused('parameter');
    if (action.scope && !grant.scopes.includes(action.scope)) throw new Refused('scope');
    return action.run({ fields, grant, person });
  });
}

/** Serves one path. The request is a form, and every result is a `status` in HTTP 200. */
export function serveRpc(
  app: FastifyInstance,
  path: string,
  run: (fields: Fields, request: FastifyRequest) => object | Promise<object>,
): void {
  app.post(path, async (request) => {
    try {
      return successResponse(await run(fieldsOf(request), request));
    } catch (error) {
      if (error instanceof Refused) return refusal(error.status);
      throw error;
    }
  });
}

function fieldsOf(request: FastifyRequest): Fields {
  const params = { ...(request.query as object), ...(request.body as object | undefined) };
  // If a field is sent twice, the last value counts.
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value.at(-1) : value),
    ]),
  );
}
