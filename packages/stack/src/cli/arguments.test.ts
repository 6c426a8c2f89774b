import { describe, expect, test } from 'vitest';
import { HELP, parseArguments } from './arguments.ts';

describe('parseArguments', () => {
  test('has defaults for everything', () => {
    expect(parseArguments([])).toEqual({
      ok: true,
      value: { ephemeral: false, json: false, help: false, nodes: 1 },
    });
  });

  test('parses every flag', () => {
    expect(parseArguments(['--json', '--nodes', '3', '--dir', 'data', '--port=9000'])).toEqual({
      ok: true,
      value: { ephemeral: false, json: true, help: false, nodes: 3, dir: 'data', port: 9000 },
    });
    expect(parseArguments(['--ephemeral', '-h'])).toMatchObject({
      ok: true,
      value: { ephemeral: true, help: true },
    });
  });

  test.each([
    [['--nope'], "Unknown option '--nope'."],
    [['extra'], "Unexpected argument 'extra'."],
    [['--nodes', '0'], '--nodes must be a number from 1 to 16, not "0".'],
    [['--nodes', '17'], '--nodes must be a number from 1 to 16, not "17".'],
    [['--nodes', '2.5'], '--nodes must be a number from 1 to 16, not "2.5".'],
    [['--port', 'http'], '--port must be a number from 1 to 65330, not "http".'],
    [['--port', '65535'], '--port must be a number from 1 to 65330, not "65535".'],
    [['--dir='], '--dir needs a path.'],
    [['--ephemeral', '--dir', 'data'], '--ephemeral uses a temporary folder. Remove --dir.'],
  ])('explains what is wrong with %j', (argv, message) => {
    expect(parseArguments(argv)).toEqual({ ok: false, message });
  });

  test('names every flag in the help text', () => {
    for (const flag of ['--ephemeral', '--json', '--nodes', '--dir', '--port', '--help'])
      expect(HELP).toContain(flag);
  });
});
