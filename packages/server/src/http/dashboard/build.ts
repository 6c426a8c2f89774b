import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the dashboard build, with compressed variants if they are smaller. */
export interface Asset {
  type: string;
  isNamedByContent: boolean;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads the dashboard build once at startup. Returns null if the dashboard was not built. */
export function readBuild(): { page: string; assets: Map<string, Asset> } | null {
  const folder = fileURLToPath(new URL('./dist/', import.meta.resolve('@tributary/dashboard/package.json')));
  if (!existsSync(join(folder, 'index.html'))) return null;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const compressed = (ending: string) =>
      existsSync(join(folder, name + ending)) ? readFileSync(join(folder, name + ending)) : undefined;
    const br = compressed('.br');
    const gzip = compressed('.gz');
    assets.set(name, {
      type,
      isNamedByContent: name.startsWith('assets/'),
      plain: readFileSync(join(folder, name)),
      ...(br && { br }),
      ...(gzip && { gzip }),
    });
  }
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), assets };
}
