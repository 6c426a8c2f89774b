import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { later } from './later.ts';
import type { MenuProps } from './menu-props.ts';

/** The popover is the larger part and loads when it is about to open. */
const MenuLayer = later(() => import('./menu-layer.tsx').then((module) => module.MenuLayer));

/** A button that opens a menu of actions. */
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
  /** Which item gets focus first, or null while the menu is closed. */
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
