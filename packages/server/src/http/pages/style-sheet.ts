import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The style sheet of the hosted pages: the design tokens and the page rules. */
export interface StyleSheet {
  /** Contains a hash of the content, so that it can be cached indefinitely. */
  path: string;
  text: string;
}

/** Reads the style sheet once at startup. */
export function readStyleSheet(): StyleSheet {
  const files = [
    import.meta.resolve('@tributary/design/tokens.css'),
    import.meta.resolve('@tributary/design/page.css'),
  ];
  const text = files.map((file) => readFileSync(fileURLToPath(file), 'utf8')).join('\n');
  return { path: `/pages/page-${hash('sha256', text, 'hex').slice(0, 16)}.css`, text };
}
