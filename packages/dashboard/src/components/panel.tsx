import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { IconButton } from './controls/button.tsx';
import './overlays/overlay.css';

export interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** Details about an item of the page, beside it. Takes focus when it opens and returns it when it closes. */
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

/** A page with room for a panel beside it. */
export function WithPanel({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className="with-panel" data-open={panel ? '' : undefined}>
      {children}
      {panel}
    </div>
  );
}
