import { expect, test } from 'vitest';
import { describeAgent } from './describe-agent.ts';

test.each([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0',
    'Edge on Windows',
  ],
  ['curl/7.88.1', 'curl'],
  ['', 'Unknown browser'],
  [null, 'Unknown browser'],
])('describes %s as %s', (agent, expected) => {
  expect(describeAgent(agent)).toBe(expected);
});
