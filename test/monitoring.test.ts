import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tributary/rig';
import { expect, test } from 'vitest';
import { printBoard } from '../deploy/monitoring/source/board.ts';
import { alerts, printRules, printRuleTests, runbookOf } from '../deploy/monitoring/source/print-rules.ts';

const read = (path: string) => readFile(join(root, path), 'utf8');
const runbooks = await read('docs/operate/runbooks.md');
const sections = new Map(
  runbooks
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

test('the files for Prometheus and Grafana are current', async () => {
  expect(await read('deploy/monitoring/alerts.yml')).toBe(printRules());
  expect(await read('deploy/monitoring/alerts.test.yml')).toBe(printRuleTests(false));
  expect(await read('deploy/monitoring/alerts-slow.test.yml')).toBe(printRuleTests(true));
  expect(await read('deploy/monitoring/grafana/boards/tributary.json')).toBe(printBoard());
});

test('every alert has a section in the runbooks, in the same order, and no other section exists', () => {
  expect([...sections.keys()].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

test.each(alerts.map((alert) => [alert.name, alert] as const))(
  '%s has cases in which it fires and does not, and a runbook',
  (name, alert) => {
    expect(alert.cases.some(({ fires }) => fires.length > 0)).toBe(true);
    expect(alert.cases.some(({ fires }) => fires.length === 0)).toBe(true);
    expect(runbookOf(alert)).toBe(`docs/operate/runbooks.md#${name.toLowerCase()}`);
    const section = sections.get(name)!;
    // A section that refers to another one has no steps of its own.
    if (!section.includes('Check and fix as for [')) {
      expect(section).toContain('- **Check.** ');
      expect(section).toContain('- **Fix.** ');
    }
  },
);

test('the test files contain every alert', () => {
  const text = printRuleTests(false) + printRuleTests(true);
  const tested = new Set([...text.matchAll(/alertname: (\w+)/g)].map(([, name]) => name));
  expect([...tested].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

test('a summary uses only labels that the alert has in its cases', () => {
  for (const { name, summary, cases } of alerts)
    for (const [, label = ''] of summary.matchAll(/\$labels\.(\w+)/g))
      for (const { fires } of cases) for (const labels of fires) expect(labels, name).toHaveProperty(label);
});

test('the objectives in the documentation name alerts that exist', async () => {
  const text = await read('docs/operate/slos.md');
  const named = [...text.matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !sections.has(name))).toEqual([]);
});
