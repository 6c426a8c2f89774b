import './code.css';
import { CopyButton } from '../feedback/copy.tsx';
import { jsonParts } from './json-parts.ts';

/** Preformatted text. It takes focus so that it can be scrolled with the keyboard. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

export function Json({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="code-block">
      <pre tabIndex={0} role="group" aria-label={label}>
        {jsonParts(text).map(({ kind, text: part, at }) =>
          kind === null ? (
            part
          ) : (
            <span key={at} className={`json-${kind}`}>
              {part}
            </span>
          ),
        )}
      </pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
