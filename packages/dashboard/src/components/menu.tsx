import { Ellipsis } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { Button as AriaButton, type PopoverProps } from 'react-aria-components';
import { later } from './later.ts';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  /** The key that does the same. */
  shortcut?: string;
  danger?: boolean;
  /** Why it cannot be chosen now. */
  reason?: string | null;
  onAction: () => void;
}

export interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** What the button shows instead of three dots; the label names it. */
  icon?: ReactNode;
  /** What the button shows where its own words name it. */
  children?: ReactNode;
  className?: string;
  placement?: NonNullable<PopoverProps['placement']>;
}

/** What floats is the larger part of it, and comes when somebody is about to open it. */
const MenuLayer = later(() => import('./menu-layer.tsx').then((module) => module.MenuLayer));

/** A button with things to do behind it. */
export function Menu(props: MenuProps) {
  const {
    label,
    entries,
    icon = <Ellipsis size={16} />,
    children,
    className,
    placement = 'bottom end',
  } = props;
  const button = useRef<HTMLButtonElement>(null);
  /** Which entry has focus first; null while it is closed. */
  const [open, setOpen] = useState<'first' | 'last' | null>(null);
  return (
    <>
      <AriaButton
        ref={button}
        className={className ?? 'icon-button large'}
        {...(!children && { 'aria-label': label })}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        onHoverStart={() => MenuLayer.load()}
        onFocus={() => MenuLayer.load()}
        onPress={() => setOpen('first')}
        onKeyDown={(event) => {
          const first = { ArrowDown: 'first', ArrowUp: 'last' }[event.key];
          if (first === undefined) return event.continuePropagation();
          event.preventDefault();
          setOpen(first as 'first' | 'last');
        }}
      >
        {children ?? icon}
      </AriaButton>
      {open && (
        <MenuLayer
          {...{ label, entries, placement }}
          triggerRef={button}
          autoFocus={open}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
