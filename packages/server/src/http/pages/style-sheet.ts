import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The one style sheet of the hosted pages: the tokens, and what the pages make of them. */
export interface StyleSheet {
  /** Named by its content, so that it may be kept for ever. */
  path: string;
  text: string;
}

/** Reads the style sheet once, when the service starts. */
export function readStyleSheet(): StyleSheet {
  const files = [
    import.meta.resolve('@tributary/design/tokens.css'),
    import.meta.resolve('@tributary/design/page.css'),
  ];
  const text = files.map((file) => readFileSync(fileURLToPath(file), 'utf8')).join('\n');
  return { path: `/pages/page-${hash('sha256', text, 'hex').slice(0, 16)}.css`, text };
}
