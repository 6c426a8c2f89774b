import type { Frame, Grant, LimitRule } from '@tributary/lab/testing';
import type { LabProvider } from '@tributary/lab';

/** Maximum number of cached responses. The oldest are dropped first. */
const maxCachedResponses = 4000;

/**
 * Lets many users share the same simulated data, and returns repeated responses from a cache. A provider has its own machines, while
 * simulating years of days here would use the processor that the service is measured on. Tokens and limits stay separate for each user.
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
      const cache = new Map<string, Buffer>();
      let rules: readonly LimitRule[] = [];
      const grantOf: Frame['oauth']['grantOf'] = (request) => {
        const grant = frame.oauth.grantOf(request);
        return sharing(grant) ?? grant;
      };
      app.addHook('preHandler', async (request, reply) => {
        const grant = request.method === 'GET' ? sharing(frame.oauth.grantOf(request)) : null;
        if (grant) onCall();
        const cachedResponse = grant && cache.get(`${grant.personId} ${request.url}`);
        if (!cachedResponse) return;
        const states = frame.limits.take(rules, grant.clientId, grant.userId);
        // A user over a limit gets the provider's own error.
        if (!states.some(({ exceeded }) => exceeded))
          return reply.type('application/json').send(cachedResponse);
      });
      app.addHook('onSend', async (request, reply, payload) => {
        const isNew = request.method === 'GET' && reply.statusCode === 200 && typeof payload === 'string';
        const grant = isNew ? sharing(frame.oauth.grantOf(request)) : null;
        if (!grant) return payload;
        if (cache.size >= maxCachedResponses) cache.delete(cache.keys().next().value!);
        cache.set(`${grant.personId} ${request.url}`, Buffer.from(payload as string));
        return payload;
      });
      const limits: Frame['limits'] = {
        take: (requestedRules, clientId, userId) => {
          rules = requestedRules;
          return frame.limits.take(requestedRules, clientId, userId);
        },
      };
      provider.register(app, { ...frame, limits, oauth: { ...frame.oauth, grantOf } });
    },
  };
}
