import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import './overlay.css';

export interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** More about one thing of the page, beside it. It takes focus when it opens and gives it back when it goes. */
export function Panel({ title, onClose, children }: PanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section
      className="panel"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="panel-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton label="Close" onPress={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <div className="panel-body">{children}</div>
    </section>
  );
}

/** A page with room for a panel at its side. */
export function WithPanel({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className="with-panel" data-open={panel ? '' : undefined}>
      {children}
      {panel}
    </div>
  );
}
