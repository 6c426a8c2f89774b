/**
 * A URL as a source of a content security policy: its origin, or its scheme where an app has its own. Of `https` the scheme alone: browsers
 * hold the policy against every hop after the form, and providers and apps hand people on to hosts of their own to sign in.
 */
export function formTarget(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' || protocol === 'https:' ? protocol : origin;
}
