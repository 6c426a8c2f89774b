/** Runs every check that needs no engines, in parallel, and prints the output of those that fail. */
import { availableParallelism } from 'node:os';
import { runChecks, type Check } from './verify/run-checks.ts';

const npm = (name: string, script: string): Check => ({ name, command: ['npm', 'run', '--silent', script] });

/** The longest come first, so that none is left to run by itself at the end. */
const checks = [
  npm('Unit tests', 'test:unit'),
  npm('Lint', 'lint'),
  npm('Spelling', 'spelling'),
  npm('Prose and names', 'prose'),
  npm('Types', 'types'),
  npm('Unused code', 'unused'),
  npm('Format', 'format:check'),
  npm('Contract page', 'contract:page'),
];

const started = performance.now();
const failed = await runChecks(checks, Math.min(3, availableParallelism()), console.log);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  failed.length === 0
    ? `All ${checks.length} checks passed in ${seconds} s.`
    : `${failed.length} of ${checks.length} checks failed in ${seconds} s: ${failed.join(', ')}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
