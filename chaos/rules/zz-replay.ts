import { readFileSync } from 'node:fs';
import { Rules } from './reference/canonical.ts';
import { compareRows } from './compare.ts';
import { collectDevices } from './reference/uploads.ts';
import { deviceDay } from './reference/device-days.ts';
import { Calendar } from './reference/calendar.ts';
const dump = JSON.parse(readFileSync('/tmp/dump.json', 'utf8'));
const catalog = new Map(dump.catalog) as any;
let n = 0;
for (const l of dump.lives) {
  const c = new Rules(catalog, l.settings, l.person.timezone).apply(l.batches);
  const devices = collectDevices(l.batches, catalog);
  for (const d of compareRows(l.user.id, new Map(l.rows), c, catalog)) {
    n += 1;
    const [date, metric] = d.at.split(' ') as [string, string];
    const s = l.settings;
    const key = catalog.get(metric).consolidation?.key;
    console.log(d.user.slice(-5), d.at, '| exp', d.expected, '| act', d.actual, '| method', s.metrics?.[key]?.method ?? catalog.get(metric).consolidation?.default_method, JSON.stringify({ ...s.metrics?.[key]?.providers, ...s.providers }));
    if (!process.argv[2]) continue;
    for (const dev of devices) {
      const x = deviceDay(dev, metric, catalog.get(metric).aggregation, new Calendar(l.person.timezone).day(date));
      if (x) console.log('      ', dev.provider, dev.id, { value: x.value, cov: x.coverage, total: x.total, aged: x.isAged, sum: x.pieces.reduce((a, p) => a + p.value, 0), pieces: x.pieces.length });
    }
  }
}
console.log(n);
