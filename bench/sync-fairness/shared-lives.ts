import type { Frame, Grant, LimitRule } from '@tributary/lab/testing';
import type { LabProvider } from '@tributary/lab';

/** Answers that are kept; the oldest go first. */
const mostKept = 4000;

/**
 * Lets many people share a life, and answers what was asked of that life before from memory: a provider has machines of its own, and making
 * up years of days would take those that the service is measured on. Tokens and limits are each person's own.
 */
export function shareLives(
  provider: LabProvider,
  lives: ReadonlyMap<string, string>,
  onCall: () => void,
): LabProvider {
  const sharing = (grant: Grant | null): Grant | null => {
    const life = grant && lives.get(grant.personId);
    return life ? { ...grant, personId: life } : null;
  };
  return {
    ...provider,
    register: (app, frame) => {
      const kept = new Map<string, Buffer>();
      let rules: readonly LimitRule[] = [];
      const grantOf: Frame['oauth']['grantOf'] = (request) => {
        const grant = frame.oauth.grantOf(request);
        return sharing(grant) ?? grant;
      };
      app.addHook('preHandler', async (request, reply) => {
        const grant = request.method === 'GET' ? sharing(frame.oauth.grantOf(request)) : null;
        if (grant) onCall();
        const answer = grant && kept.get(`${grant.personId} ${request.url}`);
        if (!answer) return;
        const states = frame.limits.take(rules, grant.clientId, grant.userId);
        // Who is over a limit is refused in the provider's own way.
        if (!states.some(({ exceeded }) => exceeded)) return reply.type('application/json').send(answer);
      });
      app.addHook('onSend', async (request, reply, payload) => {
        const isNew = request.method === 'GET' && reply.statusCode === 200 && typeof payload === 'string';
        const grant = isNew ? sharing(frame.oauth.grantOf(request)) : null;
        if (!grant) return payload;
        if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
        kept.set(`${grant.personId} ${request.url}`, Buffer.from(payload as string));
        return payload;
      });
      const limits: Frame['limits'] = {
        take: (given, clientId, userId) => {
          rules = given;
          return frame.limits.take(given, clientId, userId);
        },
      };
      provider.register(app, { ...frame, limits, oauth: { ...frame.oauth, grantOf } });
    },
  };
}
