/**
 * Returns a URL as a source of a content security policy: its origin, or its scheme for custom schemes. For `https` it is the scheme only,
 * because browsers apply the policy to every redirect after the form, and providers and apps redirect to other hosts for sign-in.
 */
export function formTarget(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' || protocol === 'https:' ? protocol : origin;
}
