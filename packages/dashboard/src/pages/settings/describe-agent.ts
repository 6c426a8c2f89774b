/** The order matters, because browsers also include the names of the earlier ones. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox on macOS". Other clients are shown by the name they sent. */
export function describeAgent(agent: string | null): string {
  if (agent === null || agent === '') return 'Unknown browser';
  const browser = browsers.find(([mark]) => mark.test(agent))?.[1];
  const system = systems.find(([mark]) => mark.test(agent))?.[1];
  if (!browser) return agent.split(/[\s/]/)[0]!.slice(0, 40);
  return system ? `${browser} on ${system}` : browser;
}
