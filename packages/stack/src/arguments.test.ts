import { describe, expect, test } from 'vitest';
import { HELP, parseArguments } from './arguments.ts';

describe('parseArguments', () => {
  test('has defaults for everything', () => {
    expect(parseArguments([])).toEqual({
      ok: true,
      value: { ephemeral: false, json: false, help: false, nodes: 1 },
    });
  });

  test('reads every flag', () => {
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
    [['--nodes', '0'], '--nodes is a number from 1 to 16, not "0".'],
    [['--nodes', '17'], '--nodes is a number from 1 to 16, not "17".'],
    [['--nodes', '2.5'], '--nodes is a number from 1 to 16, not "2.5".'],
    [['--port', 'http'], '--port is a number from 1 to 65330, not "http".'],
    [['--port', '65535'], '--port is a number from 1 to 65330, not "65535".'],
    [['--dir='], '--dir needs a path.'],
    [['--ephemeral', '--dir', 'data'], '--ephemeral makes its own folder, so --dir has no place beside it.'],
  ])('explains what is wrong with %j', (argv, message) => {
    expect(parseArguments(argv)).toEqual({ ok: false, message });
  });

  test('help names every flag', () => {
    for (const flag of ['--ephemeral', '--json', '--nodes', '--dir', '--port', '--help'])
      expect(HELP).toContain(flag);
  });
});
