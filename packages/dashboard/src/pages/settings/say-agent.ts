/** Order matters: every browser also names those before it. */
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

/** "Firefox on macOS"; what is no browser by the name that it gave. */
export function sayAgent(agent: string | null): string {
  if (agent === null || agent === '') return 'Unknown browser';
  const browser = browsers.find(([mark]) => mark.test(agent))?.[1];
  const system = systems.find(([mark]) => mark.test(agent))?.[1];
  if (!browser) return agent.split(/[\s/]/)[0]!.slice(0, 40);
  return system ? `${browser} on ${system}` : browser;
}
